// SPDX-License-Identifier: BSD-3-Clause
#include "image_builder.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

using namespace vftr;
using namespace vftr::test;
using vfd::Estimate;
using vfd::Image;
using vfd::Node;
using vfd::SegmentKind;

namespace {

std::vector<Node> chain(std::size_t count) {
    std::vector<Node> nodes{ImageBuilder::root()};
    for (std::size_t id = 1; id < count; ++id)
        nodes.push_back(ImageBuilder::function(static_cast<std::uint32_t>(id - 1), 0x1000 + id));
    return nodes;
}

std::string error_of(const Bytes& bytes) {
    MemoryFile file(bytes);
    try {
        file.open();
    } catch (const vfd::Error& error) {
        return error.what();
    }
    return "";
}

template <class T>
void poke(Bytes& bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

using Catch::Contains;

} // namespace

TEST_CASE("a recording's parts are found whatever the order of its segments") {
    ImageBuilder b;
    b.config("{}");
    b.thread(1, chain(2));
    b.thread(0, chain(5), 2);
    b.module(1, 0x1000, 0x2000, "/usr/bin/app", "\x01\x02\x03");
    b.module(2, 0x5000, 0x6000, "/lib/libm.so.6");
    b.name(0x1001, "main");
    b.name(vfd::NamedKey, "MPI_Init", vfd::NodeKind::Mpi);
    Image image = b.open();

    CHECK(image.closed());
    CHECK(image.config_text() == "{}");
    REQUIRE(image.threads().size() == 2);
    CHECK(image.threads()[0].record->index == 0);
    CHECK(image.threads()[0].node_count == 5);
    CHECK(image.threads()[1].record->tid == 101);
    REQUIRE(image.modules().size() == 2);
    CHECK(image.modules()[0].path == "/usr/bin/app");
    CHECK(image.modules()[0].build_id.size() == 3);
    CHECK(image.modules()[1].record->start == 0x5000);
    REQUIRE(image.names().size() == 2);
    CHECK(image.names()[0].name == "main");
    CHECK(image.names()[1].kind == vfd::NodeKind::Mpi);
}

TEST_CASE("nodes are found by id over chunks of any size") {
    for (std::size_t chunk : {1u, 2u, 3u, 7u, 100u}) {
        ImageBuilder b;
        b.thread(0, chain(20), chunk);
        Image image = b.open();
        const vfd::ThreadView& thread = image.threads().at(0);
        REQUIRE(thread.node_count == 20);
        for (std::uint32_t id = 1; id < 20; ++id)
            CHECK(thread.node(id).key == 0x1000 + id);
        CHECK_THROWS_AS(thread.node(20), std::out_of_range);
    }
}

TEST_CASE("a page without a segment is stepped over") {
    ImageBuilder b;
    b.empty_page().thread(0, chain(3)).empty_page().empty_page().config("{ }");
    Image image = b.open();
    CHECK(image.threads().size() == 1);
    CHECK(image.config_text() == "{ }");
}

TEST_CASE("segments of unknown kinds and freed ones are skipped") {
    ImageBuilder b;
    b.segment(static_cast<SegmentKind>(77), 0, 0, Bytes(5000));
    b.segment(SegmentKind::Free, 0, 0, Bytes(100));
    b.thread(0, chain(3));
    Image image = b.open();
    CHECK(image.segments().size() == 4);
    CHECK(image.threads().at(0).node_count == 3);
}

TEST_CASE("a node count beyond the nodes that are there is limited to them") {
    ImageBuilder b;
    b.thread(0, chain(10), 5);
    Bytes bytes = b.bytes();
    // The second chunk disappears.
    poke(bytes, b.segment_offsets()[2] + offsetof(vfd::SegmentHeader, kind), SegmentKind::Free);
    Image image = MemoryFile(bytes).open();
    CHECK(image.threads().at(0).node_count == 5);
}

TEST_CASE("a call path must come after its caller") {
    std::vector<Node> nodes = chain(4);
    SECTION("its own caller") { nodes[2].parent = 2; }
    SECTION("a later caller") { nodes[2].parent = 3; }
    SECTION("no caller") { nodes[2].parent = vfd::NoNode; }
    SECTION("a root that has a caller") { nodes[0].parent = 0; }
    SECTION("a second root") { nodes[1].kind = vfd::NodeKind::Root; }
    SECTION("an unknown kind") { nodes[1].kind = static_cast<vfd::NodeKind>(99); }
    ImageBuilder b;
    b.thread(0, nodes);
    CHECK_THAT(error_of(b.bytes()), Contains("does not follow its caller"));
}

TEST_CASE("the stack in force is taken, as deep as the record says and as there are frames") {
    auto frame = [](std::uint32_t node) {
        vfd::Frame f{};
        f.node = node;
        return f;
    };
    ImageBuilder b;
    SECTION("of two, the one that the record names") {
        b.thread(0, chain(3), 0, 1);
        b.stack(0, {frame(0)}, 0).stack(0, {frame(1)}, 1);
        CHECK(b.open().threads().at(0).stack[0].node == 0);
    }
    SECTION("no deeper than its frames") {
        b.thread(0, chain(3), 0, 1'000'000).stack(0, {frame(0), frame(1)});
        CHECK(b.open().threads().at(0).stack.size() == 2);
    }
    SECTION("up to the first frame whose call path is newer than the view") {
        b.thread(0, chain(3), 0, 3).stack(0, {frame(0), frame(8), frame(1)});
        CHECK(b.open().threads().at(0).stack.size() == 1);
    }
    SECTION("none where the segment is missing") {
        b.thread(0, chain(3), 0, 3);
        CHECK(b.open().threads().at(0).stack.empty());
    }
}

TEST_CASE("the estimates of a thread are sorted by path, and of paths that are there") {
    auto estimate = [](std::uint32_t node, double own = 1) {
        Estimate e{};
        e.node = node;
        e.own = own;
        return e;
    };
    ImageBuilder b;
    b.thread(0, chain(4));
    SECTION("in several segments") {
        b.estimates(0, {estimate(3), estimate(9)}, 0).estimates(0, {estimate(1)}, 1).estimates(7, {estimate(2)});
        const Image image = b.open();
        REQUIRE(image.threads().at(0).estimates.size() == 2);
        CHECK(image.threads()[0].estimates[0].node == 1);
        CHECK(image.threads()[0].estimates[1].node == 3);
    }
    SECTION("two of one path") {
        b.estimates(0, {estimate(3), estimate(2), estimate(3)});
        const Image image = b.open();
        REQUIRE(image.threads().at(0).estimates.size() == 2);
        CHECK(image.threads()[0].estimates[1].own == 2 * estimate(3).own);
    }
    SECTION("numbers that are none") {
        b.estimates(0, {estimate(3, std::nan(""))});
        CHECK_THAT(error_of(b.bytes()), Contains("damaged estimate"));
    }
    SECTION("that have no path yet") {
        b.estimates(0, {estimate(0), estimate(0)});
        CHECK(b.open().threads().at(0).estimates.empty());
    }
}

TEST_CASE("a thread that had just begun is left out") {
    ImageBuilder b;
    b.thread(0, chain(2));
    b.segment(SegmentKind::Thread, 1, 0, {});
    CHECK(b.open().threads().size() == 1);
}

TEST_CASE("two threads of one index are an error") {
    ImageBuilder b;
    b.thread(3, chain(2)).thread(3, chain(2));
    CHECK_THAT(error_of(b.bytes()), Contains("two threads of one index"));
}

TEST_CASE("times follow the clocks compared at start and end") {
    ImageBuilder b;
    Image image = b.open();
    CHECK(image.clock().ns_per_tick() == Approx(0.5));
    CHECK(image.clock().to_ns(1000) == 5'000'000'000);
    CHECK(image.clock().to_ns(1000 + 2000) == 5'000'001'000);
    CHECK(image.clock().to_ns(1000 - 200) == 4'999'999'900);
    CHECK(image.clock().to_realtime_ns(1000 + 2000) == 1'800'000'000'000'001'000);
    CHECK(image.end_ticks() == 1000 + 2'000'000'000);
    CHECK(image.clock().to_ns(0) < image.clock().to_ns(~std::uint64_t{0}));
}

TEST_CASE("a monotonic clock needs no comparison") {
    ImageBuilder b;
    b.unsealed();
    b.header.clock = vfd::ClockKind::Monotonic;
    b.header.last[1] = {};
    CHECK(b.open().clock().to_ns(1000 + 77) == 5'000'000'077);
}

TEST_CASE("an unsealed recording ends with the latest moment that is known") {
    ImageBuilder b;
    b.unsealed();
    CHECK_FALSE(b.open().closed());
    CHECK(b.open().end_ticks() == 1000 + 1'000'000'000);
    CHECK(b.open().clock().ns_per_tick() == Approx(0.5));
    vfd::Frame frame{};
    frame.enter = 7'000'000'000;
    b.thread(0, chain(2), 0, 1).stack(0, {frame});
    CHECK(b.open().end_ticks() == 7'000'000'000);
}

TEST_CASE("what is no vfd file is named in one line") {
    CHECK_THAT(error_of(Bytes(10)), Contains("too short"));
    CHECK_THAT(error_of(Bytes(10000)), Contains("first page is empty"));
    CHECK_THAT(error_of(Bytes(10000, std::byte{'x'})), Contains("not a vfd file"));
    CHECK_THROWS_WITH(Image::open("/no/such/file.vfd"), Contains("/no/such/file.vfd: cannot open: No such file"));
    CHECK_THROWS_WITH(Image::open("/tmp"), Contains("not a regular file"));
    CHECK_THROWS_WITH(Image::open("/dev/null"), Contains("not a regular file"));
}

TEST_CASE("a damaged header is an error") {
    ImageBuilder b;
    SECTION("version") { b.header.version = vfd::FormatVersion + 1; }
    SECTION("kind") { b.header.kind = static_cast<vfd::FileKind>(9); }
    SECTION("state") { b.header.state = static_cast<vfd::FileState>(9); }
    SECTION("page size") { b.header.page_size = 0; }
    SECTION("page size no power of two") { b.header.page_size = 4097; }
    SECTION("header size") { b.header.header_size = 16; }
    SECTION("header larger than the file") { b.header.header_size = 1u << 30; }
    SECTION("rank") { b.header.rank = 5; }
    SECTION("cost") { b.header.costs.timed = std::numeric_limits<double>::quiet_NaN(); }
    SECTION("clock") { b.header.clock = static_cast<vfd::ClockKind>(9); }
    CHECK(error_of(b.bytes()) != "");
}

TEST_CASE("strings of the header end, whatever the file says") {
    ImageBuilder b;
    std::memset(b.header.executable, 'x', sizeof b.header.executable);
    Image image = b.open();
    CHECK(std::strlen(image.header().executable) == sizeof b.header.executable - 1);
}

TEST_CASE("a file that is cut off says so") {
    ImageBuilder b;
    b.thread(0, chain(100)).config("{}");
    bool sealed = GENERATE(true, false);
    if (!sealed)
        b.unsealed();
    Bytes whole = b.bytes();
    for (std::size_t size = sizeof(vfd::FileHeader); size < whole.size(); size += 1500) {
        std::string error = error_of(Bytes(whole.data(), whole.data() + size));
        INFO(size << ": " << error);
        // An open file may end between two segments: nobody knows how many there should be.
        if (sealed || !error.empty())
            CHECK_THAT(error, Contains("cut off"));
    }
}

TEST_CASE("a segment that cannot be is an error with its place") {
    ImageBuilder b;
    b.config("{}").thread(0, chain(3));
    Bytes bytes = b.bytes();
    std::size_t at = b.segment_offsets()[1];
    SECTION("no size") { poke(bytes, at + offsetof(vfd::SegmentHeader, capacity), std::uint64_t{0}); }
    SECTION("odd size") { poke(bytes, at + offsetof(vfd::SegmentHeader, capacity), std::uint64_t{4095}); }
    SECTION("huge size") { poke(bytes, at + offsetof(vfd::SegmentHeader, capacity), std::uint64_t{1} << 63); }
    SECTION("more used than there is") { poke(bytes, at + offsetof(vfd::SegmentHeader, used), ~std::uint64_t{0} - 7); }
    SECTION("payload elsewhere") {
        poke(bytes, at + offsetof(vfd::SegmentHeader, payload_offset), std::uint64_t{1} << 40);
    }
    SECTION("payload in the header") {
        poke(bytes, at + offsetof(vfd::SegmentHeader, payload_offset), std::uint64_t{8});
    }
    MemoryFile file(bytes);
    try {
        file.open();
        FAIL("no error");
    } catch (const vfd::Error& error) {
        CHECK(error.offset() == at);
        CHECK(error.file() == file.path());
    }
}

TEST_CASE("a record that reaches beyond its segment is an error") {
    ImageBuilder b;
    Bytes payload;
    SECTION("name") {
        put(payload, vfd::NameRecord{1, 1000, 0, vfd::NodeKind::Function, 0});
        b.segment(SegmentKind::Names, 0, 0, payload);
    }
    SECTION("half a name") { b.segment(SegmentKind::Names, 0, 0, Bytes(5)); }
    SECTION("module") {
        put(payload, vfd::ModuleRecord{1, 20, 200, 0, 0, 0, 0, 0, 0, 0, 0});
        b.segment(SegmentKind::Modules, 0, 0, payload);
    }
    CHECK_THAT(error_of(b.bytes()), Contains("damaged segment"));
}

TEST_CASE("groups, types and sums of messages are found") {
    ImageBuilder b;
    b.thread(0, chain(3));
    b.group(7, {{4, -2, 3}, {vfd::ForeignRank | 1, 0, 1}}).group(3, {}).type(2, 24, "").type(1, 8, "MPI_DOUBLE");
    b.traffic(0, {{0, 1, 2, vfd::Direction::Send, vfd::Span::Rank, 0, 3, 4, 5}});
    b.traffic(0, {{0, 2, 7, vfd::Direction::Get, vfd::Span::Others, 0, 6, 7, 8}, {9, 2, 7, {}, {}, 0, 1, 1, 1}}, 1);
    Image image = b.open();
    REQUIRE(image.groups().size() == 2);
    CHECK(image.groups()[0].id == 3);
    const vfd::GroupView* group = image.group(7);
    REQUIRE(group);
    CHECK(group->size == 4);
    std::vector<std::uint32_t> ranks;
    group->for_each_rank([&](std::uint32_t rank) { ranks.push_back(rank); });
    CHECK(ranks == std::vector<std::uint32_t>{4, 2, 0, vfd::ForeignRank | 1});
    CHECK((group->has(2) && group->has(4) && group->has(vfd::ForeignRank | 1)));
    CHECK_FALSE((group->has(1) || group->has(3) || group->has(6) || group->has(vfd::ForeignRank)));
    CHECK(image.group(1) == nullptr);
    REQUIRE(image.type(1));
    CHECK(image.type(1)->name == "MPI_DOUBLE");
    CHECK(image.type(2)->size == 24);
    CHECK(image.type(2)->name.empty());
    REQUIRE(image.traffic().size() == 2);
    CHECK(image.traffic()[0][0].transfers == 3);
    CHECK(image.traffic()[1][1].thread == 9);
}

TEST_CASE("damaged groups, types and messages are errors") {
    ImageBuilder b;
    std::string reason = "damaged group";
    SECTION("run without ranks") { b.group(1, {{1, 1, 0}}); }
    SECTION("ranks below 0") { b.group(1, {{1, -1, 3}}); }
    SECTION("a run into another job") { b.group(1, {{0x7fffffff, 1, 2}}); }
    SECTION("more ranks than any machine has") { b.group(1, {{0, 1, 1u << 24}, {0, 1, 1}}); }
    SECTION("no id") { b.group(0, {}); }
    SECTION("wrong size") {
        Bytes payload;
        put(payload, vfd::GroupRecord{1, 0, 5});
        b.segment(SegmentKind::Groups, 0, 0, payload);
    }
    SECTION("more runs than there are") {
        Bytes payload;
        put(payload, vfd::GroupRecord{1, 0xffffffff, 5});
        b.segment(SegmentKind::Groups, 0, 0, payload);
        reason = "damaged segment";
    }
    SECTION("one id twice") {
        b.type(1, 1, "a").type(1, 1, "b");
        reason = "one id";
    }
    SECTION("name of a type beyond its segment") {
        Bytes payload;
        put(payload, vfd::TypeRecord{1, 100, 5});
        b.segment(SegmentKind::Types, 0, 0, payload);
        reason = "damaged segment";
    }
    SECTION("unknown direction") {
        b.traffic(0, {{0, 0, 0, vfd::Direction{3}, {}, 0, 0, 0, 0}});
        reason = "damaged messages";
    }
    CHECK_THAT(error_of(b.bytes()), Contains(reason));
}

TEST_CASE("a file of the version before is refused in one line") {
    ImageBuilder b;
    b.header.version = 1;
    std::string error = error_of(b.bytes());
    CHECK_THAT(error, Contains("version 1"));
    CHECK_THAT(error, Contains("reads versions " + std::to_string(vfd::OldestVersion) + " to " +
                               std::to_string(vfd::FormatVersion)));
    CHECK(error.find('\n') == std::string::npos);
}

TEST_CASE("a file of the version before columns is read") {
    ImageBuilder b;
    b.header.version = vfd::OldestVersion;
    b.thread(0, chain(3));
    CHECK(b.open().threads().at(0).node_count == 3);
    b.header.version = vfd::OldestVersion - 1;
    CHECK_THAT(error_of(b.bytes()), Contains("version " + std::to_string(vfd::OldestVersion - 1)));
}

TEST_CASE("the view stands still while the writer goes on") {
    ImageBuilder b;
    b.unsealed().thread(0, chain(8), 4);
    Bytes bytes = b.bytes();
    std::size_t record = b.segment_offsets()[0] + sizeof(vfd::SegmentHeader);
    poke(bytes, record + offsetof(vfd::ThreadRecord, node_count), std::uint32_t{4});
    auto* header = reinterpret_cast<vfd::FileHeader*>(bytes.data());
    std::vector<vfd::Segment> segments;
    for (std::size_t at : b.segment_offsets()) {
        auto* s = reinterpret_cast<vfd::SegmentHeader*>(bytes.data() + at);
        segments.push_back({s, std::span(bytes).subspan(at + s->payload_offset, s->used)});
    }
    Image image = Image::of_memory(*header, segments, "live");
    header->state = vfd::FileState::Sealed;
    poke(bytes, record + offsetof(vfd::ThreadRecord, node_count), std::uint32_t{8});
    CHECK_FALSE(image.closed());
    CHECK(image.label() == "live");
    CHECK(image.threads().at(0).node_count == 4);
    CHECK(image.threads().at(0).record->node_count == 4);
}
