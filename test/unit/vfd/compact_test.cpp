// SPDX-License-Identifier: BSD-3-Clause
#include "compact_bytes.hpp"
#include "image_builder.hpp"
#include "random_tree.hpp"

#include "vfd/node_columns.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::test;

namespace {

std::vector<vfd::Event> events_of(const vfd::Image& image, const vfd::ThreadView& thread) {
    std::vector<vfd::Event> events;
    CHECK(thread.for_each_event(image.header().flags, [&](const vfd::Event& event) { events.push_back(event); }));
    return events;
}

ImageBuilder sample() {
    std::vector<vfd::Node> nodes{ImageBuilder::root()};
    for (std::uint32_t id = 1; id < 12; ++id)
        nodes.push_back(ImageBuilder::function(id / 2, 0x401000 + id));
    std::vector<vfd::Frame> frames(200);
    frames[1].node = 1;
    ImageBuilder b;
    b.header.flags = vfd::FlagAllEvents | vfd::FlagSampling;
    b.thread(0, nodes, 5, 2).stack(0, std::vector<vfd::Frame>(3), 0).stack(0, frames, 0);
    b.events(0, EventEncoder(1000).enter(1001, 1).callee(1002, 1))
        .events(0, EventEncoder(5000).leave(5001).enter(5005, 7), 1);
    b.thread(3, {ImageBuilder::root()});
    b.lives(3, {{9, 0, 1500, 1600, {}}}, 1)
        .lives(3, {{7, 0, 1100, 1200, {0, 1, 0x401000, 1050}}, {8, 0, 1300, 1400, {}}}, 0);
    b.module(1, 0x400000, 0x500000, "/usr/bin/app", "0123456789");
    b.name(0x401001, "main").name(vfd::NamedKey, "region", vfd::NodeKind::Region).name(0x401002, "f").config("{}");
    return b;
}

} // namespace

TEST_CASE("a compact recording says the same and is small") {
    MemoryFile file(sample().bytes());
    const vfd::Image before = file.open();
    const Bytes bytes = compact_bytes(before);
    CHECK(bytes.size() < 6144);
    CHECK(bytes.size() % 64 == 0);
    MemoryFile small(bytes);
    const vfd::Image after = small.open();
    CHECK(after.header().page_size == 64);
    CHECK(after.header().file_end == bytes.size());
    CHECK(after.end_ticks() == before.end_ticks());
    CHECK(after.config_text() == before.config_text());
    CHECK(after.names().size() == 3);
    REQUIRE(after.modules().size() == 1);
    CHECK(after.modules()[0].path == "/usr/bin/app");
    REQUIRE(after.threads().size() == before.threads().size());
    for (std::size_t i = 0; i < after.threads().size(); ++i) {
        const vfd::ThreadView &was = before.threads()[i], &is = after.threads()[i];
        CHECK(is.record->index == was.record->index);
        CHECK(is.lives.size() == was.lives.size());
        REQUIRE(is.node_count == was.node_count);
        CHECK(is.node_chunks.size() == 1);
        for (std::uint32_t id = 0; id < is.node_count; ++id)
            CHECK(std::memcmp(&is.node(id), &was.node(id), sizeof(vfd::Node)) == 0);
        REQUIRE(is.stack.size() == was.stack.size());
        for (std::size_t frame = 0; frame < is.stack.size(); ++frame)
            CHECK(std::memcmp(&is.stack[frame], &was.stack[frame], sizeof(vfd::Frame)) == 0);
        const std::vector<vfd::Event> events = events_of(before, was), same = events_of(after, is);
        REQUIRE(same.size() == events.size());
        for (std::size_t event = 0; event < same.size(); ++event) {
            CHECK(same[event].ticks == events[event].ticks);
            CHECK(same[event].node == events[event].node);
        }
    }
}

// Issue: a closed recording at most a tenth of today's size (compact columns, zstd)
TEST_CASE("a compact recording of many paths takes a tenth of its nodes and estimates") {
    constexpr std::uint32_t Paths = 50000;
    const std::vector<vfd::Node> nodes = random_tree(Paths);
    const std::vector<vfd::Estimate> estimates = random_estimates(Paths, 4000);
    ImageBuilder b;
    b.thread(0, nodes).estimates(0, estimates).module(1, 0x400000, 0x500000, "/usr/bin/app", "0123456789").config("{}");
    MemoryFile file(b.bytes());
    const Bytes bytes = compact_bytes(file.open());
    CHECK(bytes.size() <= (nodes.size() * sizeof(vfd::Node) + estimates.size() * sizeof(vfd::Estimate)) / 10);
    // Without zstd, too.
    CHECK(vfd::node_columns(view_of(nodes)).size() <= nodes.size() * sizeof(vfd::Node) / 10);

    MemoryFile small(bytes);
    const vfd::Image after = small.open();
    const vfd::ThreadView& thread = after.threads().at(0);
    REQUIRE(thread.node_count == nodes.size());
    CHECK(std::memcmp(thread.node_chunks.at(0).data(), nodes.data(), nodes.size() * sizeof(vfd::Node)) == 0);
    REQUIRE(thread.estimates.size() == estimates.size());
    CHECK(std::memcmp(thread.estimates.data(), estimates.data(), estimates.size() * sizeof(vfd::Estimate)) == 0);
}

TEST_CASE("a compact recording stays so") {
    MemoryFile file(sample().bytes());
    const Bytes once = compact_bytes(file.open());
    MemoryFile small(once);
    CHECK(compact_bytes(small.open()) == once);
}

TEST_CASE("writing a compact recording ends where its file ends") {
    MemoryFile file(sample().bytes());
    const vfd::Image image = file.open();
    const vfd::Compact compact(image, image.header());
    int parts = 0;
    CHECK_FALSE(compact.write([&](std::span<const std::byte>) { return ++parts < 3; }));
    CHECK(parts == 3);
}
