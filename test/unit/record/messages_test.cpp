// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"
#include "record/messages.hpp"

#include <cerrno>
#include <map>
#include <thread>
#include <tuple>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::Direction;
using vfd::Span;

namespace {

constexpr std::uint64_t F = 0x10;

std::vector<vfd::Traffic> traffic() {
    std::vector<vfd::Traffic> all;
    vfd::Writer::Reading reading(recorder.writer);
    recorder.writer.for_each([&](const vfd::SegmentHeader& header, const std::byte* payload) {
        if (header.kind == vfd::SegmentKind::Traffic)
            for (std::uint64_t i = 0; i < header.used / sizeof(vfd::Traffic); ++i)
                all.push_back(reinterpret_cast<const vfd::Traffic*>(payload)[i]);
    });
    return all;
}

std::uint64_t segments(vfd::SegmentKind kind) {
    std::uint64_t count = 0;
    vfd::Writer::Reading reading(recorder.writer);
    recorder.writer.for_each([&](const vfd::SegmentHeader& header, const std::byte*) { count += header.kind == kind; });
    return count;
}

Transfer to_rank(std::uint32_t target, std::uint64_t bytes, Direction direction = Direction::Send) {
    CallPlace place = call_place();
    return {place, place.enter + 7, target, direction, Span::Rank, 5, 0, bytes};
}

} // namespace

TEST_CASE("messages of one path, target, direction and span are one record", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    for (unsigned i = 0; i < 1000; ++i) {
        record_transfer(to_rank(i % 3, 10));
        record_transfer(to_rank(i % 3, 1, Direction::Receive));
    }
    Transfer group = to_rank(1, 5);
    group.span = Span::Others;
    record_transfer(group);
    thread.enter(F + 1, 0x8000);
    record_transfer(to_rank(0, 3));
    std::vector<vfd::Traffic> all = traffic();
    REQUIRE(all.size() == 8);
    CHECK((all[0].node == 1 && all[0].target == 0 && all[0].direction == Direction::Send && all[0].span == Span::Rank));
    CHECK((all[0].transfers == 334 && all[0].bytes == 3340 && all[0].ticks == 334 * 7));
    CHECK((all[1].direction == Direction::Receive && all[1].bytes == 334));
    CHECK((all[6].span == Span::Others && all[6].transfers == 1 && all[6].bytes == 5));
    CHECK((all[7].node == 2 && all[7].transfers == 1));
}

TEST_CASE("a table of very many targets keeps every sum", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    constexpr std::uint32_t Targets = 50000;
    for (int round = 0; round < 2; ++round)
        for (std::uint32_t target = 0; target < Targets; ++target)
            record_transfer(to_rank(target, target));
    std::vector<vfd::Traffic> all = traffic();
    REQUIRE(all.size() == Targets);
    CHECK(segments(vfd::SegmentKind::Traffic) < 16);
    std::uint64_t wrong = 0;
    for (std::uint32_t target = 0; target < Targets; ++target)
        wrong += all[target].target != target || all[target].transfers != 2 || all[target].bytes != 2 * std::uint64_t{target};
    CHECK(wrong == 0);
}

TEST_CASE("a message that another thread began belongs to that thread's path", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    Transfer begun = to_rank(3, 8);
    std::thread([&] {
        Thread other;
        other.enter(F + 1, 0x9000);
        record_transfer(begun);
        close_current_thread();
    }).join();
    std::vector<vfd::Traffic> all = traffic();
    REQUIRE(all.size() == 1);
    CHECK((all[0].thread == begun.place.thread && all[0].node == begun.place.node));
}

TEST_CASE("messages are not recorded while off or paused, or inside a hook", "[record][messages]") {
    Recording recording;
    Transfer transfer{{0, 1, 1}, 2, 0, Direction::Send, Span::Rank, 0, 0, 1};
    record_transfer(transfer);
    CHECK(intern_type("X", 1) == 0);
    Thread thread;
    thread.enter(F, 0x9000);
    pause_all();
    pause_here();
    record_transfer(transfer);
    resume_all();
    resume_here();
    close_gate(thread.state(), 0x8000);
    record_transfer(transfer);
    open_gate(thread.state());
    CHECK(traffic().empty());
    record_transfer(transfer);
    CHECK(traffic().size() == 1);
}

TEST_CASE("a message keeps errno and leaves the gate open", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    errno = 42;
    record_transfer(to_rank(1, 1));
    const std::uint32_t ranks[] = {0, 1};
    intern_group(ranks);
    CHECK(errno == 42);
    CHECK(thread.state().gate == GateReady);
}

TEST_CASE("equal groups have one id, other groups another", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    std::vector<std::uint32_t> world(100000), reverse(1000), scattered;
    for (std::uint32_t i = 0; i < world.size(); ++i)
        world[i] = i;
    for (std::uint32_t i = 0; i < reverse.size(); ++i)
        reverse[i] = 999 - i;
    for (std::uint32_t i = 0; i < 5000; ++i)
        scattered.push_back(i * i % 8191);
    std::uint32_t a = intern_group(world), b = intern_group(reverse), c = intern_group(scattered), none = intern_group({});
    std::map<std::uint32_t, int> ids{{a, 0}, {b, 0}, {c, 0}, {none, 0}};
    CHECK(ids.size() == 4);
    CHECK(ids.count(0) == 0);
    CHECK(intern_group(world) == a);
    CHECK(intern_group(reverse) == b);
    CHECK(intern_group(scattered) == c);
    CHECK(intern_group({}) == none);
    world.pop_back();
    CHECK(ids.count(intern_group(world)) == 0);
}

TEST_CASE("equal types have one id, another size or name another", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    std::uint32_t id = intern_type("MPI_INT", 4);
    CHECK(id != 0);
    CHECK(intern_type("MPI_INT", 4) == id);
    CHECK(intern_type("MPI_INT", 8) != id);
    CHECK(intern_type("", 4) != id);
    std::map<std::uint32_t, int> ids;
    for (int i = 0; i < 3000; ++i)
        ids[intern_type("type " + std::to_string(i), 1)] = i;
    CHECK(ids.size() == 3000);
    CHECK(intern_type("type 77", 1) == intern_type("type 77", 1));
}
