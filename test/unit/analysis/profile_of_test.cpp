// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile.hpp"
#include "profile_builder.hpp"
#include "vfd/image.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <deque>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;

namespace {

// A recording in memory, on a clock of one tick per nanosecond.
class Recording {
public:
    vfd::FileHeader header{};

    Recording() {
        std::memcpy(header.magic, vfd::Magic, sizeof vfd::Magic);
        header.version = vfd::FormatVersion;
        header.header_size = header.page_size = 4096;
        header.kind = vfd::FileKind::Process;
        header.state = vfd::FileState::Open;
        header.clock = vfd::ClockKind::Monotonic;
        header.rank = -1;
        header.start = {1000, 1000, 500000};
        header.last[0] = {2000, 2000, 501000};
        header.hook_cost_ticks = 2;
        header.max_call_paths = 99;
        std::strcpy(header.executable, "/usr/bin/prog");
    }

    std::uint32_t add_thread(std::uint64_t begin) {
        threads_.push_back({});
        Thread& thread = threads_.back();
        thread.record.index = static_cast<std::uint32_t>(threads_.size() - 1);
        thread.record.begin = begin;
        add_node("init", vfd::NoNode, 1, 0, 0, vfd::NodeKind::Root);
        enter(0, begin);
        return thread.record.index;
    }
    // To the latest thread.
    std::uint32_t add_node(const std::string& name, std::uint32_t parent, std::uint64_t calls,
                           std::uint64_t exclusive, std::uint64_t inclusive,
                           vfd::NodeKind kind = vfd::NodeKind::Function) {
        names_.push_back(name);
        vfd::Node node{};
        node.key = 0x1000 + names_.size(); // every function has an address of its own
        node.parent = parent;
        node.calls = calls;
        node.exclusive = exclusive;
        node.inclusive = inclusive;
        node.kind = kind;
        add_name(node.key, name);
        threads_.back().nodes.push_back(node);
        return static_cast<std::uint32_t>(threads_.back().nodes.size() - 1);
    }
    void enter(std::uint32_t node, std::uint64_t ticks, std::uint64_t child = 0) {
        vfd::Frame frame{};
        frame.node = node;
        frame.enter = ticks;
        frame.child = child;
        threads_.back().stack.push_back(frame);
    }
    void end_thread(std::uint64_t ticks) {
        Thread& thread = threads_.back();
        thread.record.end = ticks;
        thread.stack.clear();
    }
    vfd::ThreadRecord& record() { return threads_.back().record; }

    Profile profile() {
        headers_.clear();
        std::vector<vfd::Segment> segments;
        for (Thread& thread : threads_) {
            thread.record.node_count = static_cast<std::uint32_t>(thread.nodes.size());
            thread.record.depth = static_cast<std::uint32_t>(thread.stack.size());
            std::uint32_t owner = thread.record.index;
            segments.push_back(
                segment(vfd::SegmentKind::Thread, owner, &thread.record, sizeof thread.record));
            segments.push_back(segment(vfd::SegmentKind::Nodes, owner, thread.nodes.data(),
                                       thread.nodes.size() * sizeof(vfd::Node)));
            segments.push_back(segment(vfd::SegmentKind::Stack, owner, thread.stack.data(),
                                       thread.stack.size() * sizeof(vfd::Frame)));
        }
        segments.push_back(
            segment(vfd::SegmentKind::Names, 0, name_bytes_.data(), name_bytes_.size()));
        Profile profile = profile_of(vfd::Image::of_memory(header, segments, "test"));
        canonicalise(profile);
        return profile;
    }

private:
    struct Thread {
        vfd::ThreadRecord record{};
        std::vector<vfd::Node> nodes;
        std::vector<vfd::Frame> stack;
    };

    void add_name(std::uint64_t key, const std::string& name) {
        vfd::NameRecord record{key, static_cast<std::uint32_t>(name.size()), 0,
                               vfd::NodeKind::Function, 0};
        std::size_t at = name_bytes_.size();
        name_bytes_.resize(at + (sizeof record + name.size() + 7) / 8 * 8);
        std::memcpy(name_bytes_.data() + at, &record, sizeof record);
        std::memcpy(name_bytes_.data() + at + sizeof record, name.data(), name.size());
    }
    vfd::Segment segment(vfd::SegmentKind kind, std::uint32_t thread, const void* data,
                         std::size_t size) {
        vfd::SegmentHeader header{};
        header.magic = vfd::SegmentMagic;
        header.kind = kind;
        header.thread = thread;
        header.used = size;
        headers_.push_back(header);
        return {&headers_.back(), {static_cast<const std::byte*>(data), size}};
    }

    std::deque<Thread> threads_;
    std::deque<vfd::SegmentHeader> headers_;
    std::deque<std::string> names_;
    std::vector<std::byte> name_bytes_;
};

} // namespace

TEST_CASE("a live recording's profile counts up to now") {
    Recording r;
    r.add_thread(1000);
    std::uint32_t main = r.add_node("main", 0, 1, 0, 0);
    r.add_node("f", main, 7, 300, 300);
    r.enter(main, 1100, 300);
    Profile p = r.profile();
    CHECK(p.rank_count == 1);
    CHECK(p.first_rank == 0);
    CHECK(p.application == "prog");
    CHECK(at(p, "init").calls == 1);
    CHECK(at(p, "init").exclusive.sum == 100);
    CHECK(at(p, "init").inclusive.sum == 1000);
    CHECK(at(p, "main<init").exclusive.sum == 600);
    CHECK(at(p, "main<init").inclusive.sum == 900);
    CHECK(at(p, "f<main<init").calls == 7);
    CHECK(at(p, "f<main<init").overhead == 14);
    CHECK(p.summary.runtime_sum == 1000);
    CHECK(p.summary.runtime == 1000);
    CHECK(p.summary.hook_overhead == 16);
    CHECK(p.summary.start_realtime_ns == 500000);
    CHECK(p.summary.end_realtime_ns == 501000);
    CHECK(p.summary.unfinished == 1);
}

TEST_CASE("threads are summed path by path, and end when they end") {
    Recording r;
    r.header.rank = 3;
    r.header.flags = vfd::FlagMpi;
    r.add_thread(1000);
    r.add_node("f", 0, 2, 10, 10);
    r.record().dropped = 1;
    r.add_thread(1200);
    r.add_node("g", 0, 1, 40, 40);
    r.add_node("f", 0, 5, 60, 60);
    r.end_thread(1500);
    r.record().dropped = 2;
    r.record().reused = 4;
    Profile p = r.profile();
    CHECK(at(p, "f<init").calls == 7);
    CHECK(at(p, "f<init").exclusive.sum == 70);
    CHECK(at(p, "f<init").exclusive.max_rank == 3);
    CHECK(at(p, "g<init").calls == 1);
    CHECK(at(p, "init").calls == 2);
    CHECK(p.nodes.size() == 3);
    CHECK(p.first_rank == 3);
    CHECK(p.summary.mpi);
    CHECK(p.summary.dropped == 3);
    CHECK(p.summary.threads == 6);
}

TEST_CASE("two functions of one name under one caller are one path") {
    Recording r;
    r.add_thread(1000);
    std::uint32_t first = r.add_node("helper", 0, 1, 10, 30);
    std::uint32_t second = r.add_node("helper", 0, 2, 20, 60);
    r.add_node("leaf", first, 1, 20, 20);
    r.add_node("leaf", second, 3, 40, 40);
    Profile p = r.profile();
    CHECK(p.nodes.size() == 3);
    CHECK(at(p, "helper<init").calls == 3);
    CHECK(at(p, "helper<init").inclusive.sum == 90);
    CHECK(at(p, "leaf<helper<init").calls == 4);
}

TEST_CASE("paths that were never taken are left out, unless they lead to one that was") {
    Recording r;
    r.add_thread(1000);
    std::uint32_t more = r.add_node("", 0, 0, 0, 0, vfd::NodeKind::Overflow);
    r.add_node("deep", more, 9, 5, 5);
    r.add_node("announced", 0, 0, 0, 0);
    Profile p = r.profile();
    CHECK(p.nodes.size() == 3);
    CHECK(has(p, "deep<(more call paths)<init"));
    CHECK(at(p, "(more call paths)<init").kind == NodeKind::Overflow);
    CHECK_FALSE(has(p, "announced<init"));
    CHECK(p.summary.overflow_calls == 9);
    CHECK(p.summary.max_call_paths == 99);
}

TEST_CASE("the cost of MPI wrappers is told apart, and of the thread that lost most") {
    Recording r;
    r.add_thread(1000);
    r.add_node("f", 0, 10, 1, 1);
    r.add_node("MPI_Send", 0, 3, 1, 1, vfd::NodeKind::Mpi);
    r.add_thread(1000);
    r.add_node("f", 0, 4, 1, 1);
    Profile p = r.profile();
    CHECK(p.summary.hook_overhead == 20);
    CHECK(p.summary.mpi_overhead == 6);
}

TEST_CASE("a recording without a thread has a root") {
    Recording r;
    Profile p = r.profile();
    REQUIRE(p.nodes.size() == 1);
    CHECK(call_path(p, 0) == "init");
    CHECK(p.summary.runtime_sum == 0);
}
