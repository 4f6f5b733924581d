// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/profile.hpp"
#include "profile_builder.hpp"

#include "../vfd/image_builder.hpp"
#include "vfd/image.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <deque>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;

namespace {

// An open recording of 1000 ticks of a nanosecond, so far.
class Recording {
public:
    Recording() {
        builder_.unsealed();
        header.clock = vfd::ClockKind::Monotonic;
        header.rank = -1;
        header.start = {1000, 1000, 500000};
        header.last[header.last_index] = {2000, 2000, 501000};
        header.max_call_paths = 99;
        std::strcpy(header.executable, "/usr/bin/prog");
    }

    std::uint32_t add_thread(std::uint64_t begin) {
        threads_.push_back({});
        Thread& thread = threads_.back();
        thread.record.index = static_cast<std::uint32_t>(threads_.size() - 1);
        thread.record.begin = begin;
        thread.record.origin.thread = vfd::NoThread;
        add_node("init", vfd::NoNode, 1, 0, 0, vfd::NodeKind::Root);
        enter(0, begin);
        return thread.record.index;
    }
    // To the latest thread.
    std::uint32_t add_node(const std::string& name, std::uint32_t parent, std::uint64_t calls, std::uint64_t exclusive,
                           std::uint64_t inclusive, vfd::NodeKind kind = vfd::NodeKind::Function) {
        vfd::Node node = ImageBuilder::function(parent, next_key_++); // an address for each
        node.calls = calls;
        node.exclusive = exclusive;
        node.inclusive = inclusive;
        node.kind = kind;
        builder_.name(node.key, name);
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
    vfd::Node& root() { return threads_.back().nodes.front(); }
    // The address of something in it.
    std::uint64_t module(std::uint32_t id, std::uint64_t start, std::uint64_t end) {
        builder_.module(id, start, end, "/no/such/module");
        return start + 0x10;
    }
    void lives(std::uint32_t thread, const std::vector<vfd::ThreadLife>& lives) { builder_.lives(thread, lives); }
    void estimates(std::uint32_t thread, const std::vector<vfd::Estimate>& estimates) {
        builder_.estimates(thread, estimates);
    }
    void note(std::uint64_t number, const char* text) { builder_.name(vfd::NamedKey | number, text, NodeKind::Root); }
    vfd::Node& last_node() { return threads_.back().nodes.back(); }
    vfd::ThreadRecord& record() { return threads_.back().record; }

    Profile profile() {
        for (Thread& thread : threads_) {
            thread.record.node_count = static_cast<std::uint32_t>(thread.nodes.size());
            thread.record.depth = static_cast<std::uint32_t>(thread.stack.size());
            std::uint32_t owner = thread.record.index;
            builder_.segment(vfd::SegmentKind::Thread, owner, 0, bytes_of(std::span(&thread.record, 1)));
            builder_.segment(vfd::SegmentKind::Nodes, owner, 0, bytes_of(std::span(thread.nodes)));
            builder_.stack(owner, thread.stack);
        }
        Profile profile = profile_of(builder_.open());
        canonicalise(profile);
        return profile;
    }

private:
    struct Thread {
        vfd::ThreadRecord record{};
        std::vector<vfd::Node> nodes;
        std::vector<vfd::Frame> stack;
    };

    template <typename T>
    static Bytes bytes_of(std::span<T> values) {
        auto raw = std::as_bytes(values);
        return {raw.begin(), raw.end()};
    }

    ImageBuilder builder_;
    std::deque<Thread> threads_;
    std::uint64_t next_key_ = 0x1000;

public:
    vfd::FileHeader& header = builder_.header;
};

} // namespace

TEST_CASE("a live recording's profile counts up to now") {
    Recording r;
    r.header.costs.timed = r.header.costs.timed_long = 2;
    r.header.costs.inside = r.header.costs.inside_long = 1;
    r.add_thread(1000);
    std::uint32_t main = r.add_node("main", 0, 1, 0, 0);
    r.add_node("f", main, 7, 300, 300);
    r.enter(main, 1100, 300);
    Profile p = r.profile();
    CHECK(p.rank_count == 1);
    CHECK(p.first_rank == 0);
    CHECK(p.application == "prog");
    CHECK(at(p, "init").calls == 1);
    CHECK(at(p, "init").exclusive == 100 - 1);
    CHECK(at(p, "init").inclusive == 1000 - 16);
    CHECK(at(p, "main<init").exclusive == 600 - 7 - 1);
    CHECK(at(p, "main<init").inclusive == 900 - 14 - 1);
    CHECK(at(p, "main<init").raw_exclusive == 600);
    CHECK(at(p, "main<init").raw_inclusive == 900);
    CHECK(at(p, "f<main<init").calls == 7);
    CHECK(at(p, "f<main<init").exclusive == 300 - 7);
    CHECK(at(p, "f<main<init").overhead == 14);
    CHECK(p.summary.runtime_sum == 1000 - 16);
    CHECK(p.summary.times.sum.runtime == 1000);
    CHECK(p.summary.times.sum.hook_overhead == 16);
    CHECK(p.summary.start_realtime_ns == 500000);
    CHECK(p.summary.end_realtime_ns == 501000);
    CHECK(p.summary.unfinished == 1);
}

TEST_CASE("threads are summed path by path, and end when they end") {
    Recording r;
    r.header.rank = 3;
    r.header.size = 4;
    r.header.flags = vfd::FlagMpi;
    r.add_thread(1000);
    r.add_node("f", 0, 2, 10, 10);
    r.record().dropped_calls = 1;
    r.add_thread(1200);
    r.add_node("g", 0, 1, 40, 40);
    r.add_node("f", 0, 5, 60, 60);
    r.end_thread(1500);
    r.record().dropped = 4; // of an older file: events
    r.record().reused = 4;
    Profile p = r.profile();
    CHECK(at(p, "f<init").calls == 7);
    CHECK(at(p, "f<init").exclusive == 70);
    CHECK(exclusive_at(p, "f<init").max_rank == 3);
    CHECK(at(p, "g<init").calls == 1);
    CHECK(at(p, "init").calls == 2);
    CHECK(p.nodes.size() == 3);
    CHECK(p.first_rank == 3);
    CHECK(p.summary.mpi);
    CHECK(p.summary.dropped == 3);
    CHECK(p.summary.threads == 6);
    CHECK(p.summary.processes == 1);
}

TEST_CASE("a thread has a row: who created it, where, and how long it was in functions") {
    Recording r;
    r.header.pid = 40;
    r.add_thread(1000);
    r.record().tid = 40;
    std::uint32_t main = r.add_node("main", 0, 1, 0, 0);
    std::uint32_t start = r.add_node("start", main, 1, 0, 0);
    r.enter(main, 1000);
    r.add_thread(1100);
    r.record().tid = 41;
    r.record().origin = {0, start, 0, 1090};
    std::uint32_t work = r.add_node("work", 0, 1, 250, 300);
    r.add_node("leaf", work, 5, 50, 50);
    r.root().exclusive = 100;
    r.root().inclusive = 400;
    r.end_thread(1500);
    Profile p = r.profile();
    REQUIRE(p.threads.size() == 2);
    CHECK(p.threads[0].id == ThreadId{0, 40, 0});
    CHECK(p.threads[0].parent == vfd::NoThread);
    CHECK(p.threads[0].node == vfd::NoNode);
    CHECK(p.threads[0].function == "main");
    CHECK(p.threads[0].life == 1000);
    const ThreadRow& row = p.threads[1];
    CHECK(row.id == ThreadId{0, 40, 1});
    CHECK(row.tid == 41);
    CHECK(row.parent == 0);
    REQUIRE(row.node < p.nodes.size());
    CHECK(call_path(p, row.node) == "start<main<init");
    CHECK(row.function == "work");
    CHECK(row.begin == 100);
    CHECK(row.end == 500);
    CHECK(row.life == 400);
    CHECK(row.in_functions == 300);
    CHECK(row.calls == 6);
    CHECK(p.thread_totals.first.records == 1);
    CHECK(p.thread_totals.started.records == 1);
    CHECK(p.thread_totals.started.in_functions == 300);
    CHECK(p.thread_totals.started.longest_id == row.id);
}

TEST_CASE(
    "a thread is named after what it was started with, unless that is of a module whose functions are not recorded") {
    Recording r;
    r.add_thread(1000);
    r.add_node("main", 0, 1, 0, 0);
    const std::uint64_t uninstrumented = r.module(3, 0x700000, 0x800000);
    SECTION("a function of a module whose functions are recorded") {
        r.add_thread(1000);
        r.add_node("callee", 0, 1, 1, 1);
        r.add_node("pool", 0, 0, 0, 0); // itself not recorded
        r.record().origin = {0, 1, r.last_node().key, 0};
        CHECK(r.profile().threads[1].function == "pool");
    }
    SECTION("a library's start function: the first recorded one says more") {
        r.add_thread(1000);
        std::uint32_t run = r.add_node("std::thread::run(void (*)())", 0, 1, 1, 1);
        r.add_node("void std::__invoke<void (*)()>(void (*)())", run, 1, 1, 1);
        r.add_node("void (*&std::forward<void (*&)()>(void (*&)()))()", run, 1, 1, 1);
        std::uint32_t task = r.add_node("task(std::list<int>)", run, 1, 1, 1);
        r.add_node("callee", task, 1, 1, 1);
        r.add_node("end", 0, 1, 1, 1);
        r.record().origin = {0, 1, uninstrumented, 0};
        CHECK(r.profile().threads[1].function == "task(std::list<int>)");
    }
    SECTION("of a record that several threads used nobody knows whose it was") {
        r.add_thread(1000);
        r.add_node("a", 0, 1, 1, 1);
        r.record().reused = 1;
        r.record().origin = {0, 1, uninstrumented, 0};
        CHECK(r.profile().threads[1].function.empty());
    }
}

TEST_CASE("of threads that used one record it is told what is the same for all of them") {
    Recording r;
    r.add_thread(1000);
    r.add_node("main", 0, 1, 0, 0);
    r.add_thread(1600);
    r.add_node("work", 0, 2, 5, 5);
    const std::uint64_t work = r.last_node().key;
    r.record().reused = 1;
    r.record().flags = vfd::ThreadOpenMp;
    r.record().origin = {0, 1, work, 1590};
    vfd::ThreadLife earlier{90, vfd::ThreadOpenMp, 1100, 1200, {0, 1, work, 1090}};
    SECTION("all") {
        r.lives(1, {earlier});
        Profile p = r.profile();
        CHECK(p.threads[1].threads == 2);
        CHECK(p.threads[1].begin == 100);
        CHECK(p.threads[1].parent == 0);
        CHECK(p.threads[1].node != vfd::NoNode);
        CHECK(p.threads[1].function == "work");
        CHECK(p.threads[1].worker);
    }
    SECTION("nothing") {
        earlier.flags = 0;
        earlier.origin = {5, 7, work + 1, 0};
        r.lives(1, {earlier});
        Profile p = r.profile();
        CHECK(p.threads[1].parent == vfd::NoThread);
        CHECK(p.threads[1].node == vfd::NoNode);
        CHECK(p.threads[1].function.empty());
        CHECK_FALSE(p.threads[1].worker);
    }
}

TEST_CASE("of a path's threads the longest is known") {
    Recording r;
    for (std::uint64_t ticks : {10, 70, 20}) {
        r.add_thread(1000);
        r.add_node("work", 0, 1, ticks, ticks);
        if (ticks == 20) // two nodes of one thread that are one path
            r.add_node("work", 0, 1, 60, 60);
    }
    r.add_node("alone", 0, 1, 5, 5);
    Profile p = r.profile();
    CHECK(at(p, "work<init").threads == 3);
    CHECK(at(p, "work<init").longest_thread == 80);
    CHECK(thread_imbalance(at(p, "work<init")) == Approx(50)); // 80 against an average of 160 / 3
    CHECK(at(p, "alone<init").threads == 1);
    CHECK(thread_imbalance(at(p, "alone<init")) == 0);
    CHECK(at(p, "init").threads == 3);
}

TEST_CASE("what a worker of an OpenMP runtime does outside of regions is idling") {
    Recording r;
    r.add_thread(1000);
    r.add_thread(1000);
    r.record().flags = vfd::ThreadOpenMp;
    r.add_node("work", 0, 1, 300, 300);
    r.root().exclusive = 200;
    r.root().inclusive = 500;
    r.end_thread(1500);
    Profile p = r.profile();
    CHECK(at(p, "omp idle<init").exclusive == 200);
    CHECK(at(p, "omp idle<init").inclusive == 200);
    CHECK(at(p, "omp idle<init").calls == 1);
    CHECK(at(p, "omp idle<init").threads == 1);
    CHECK(at(p, "init").exclusive == 1000);
    CHECK(at(p, "init").inclusive == 1500);
    CHECK(p.threads[1].worker);
    CHECK(p.threads[1].in_functions == 300);
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
    CHECK(at(p, "helper<init").inclusive == 90);
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

// Issue: the note of a log names max_call_paths where address space was the limit.
TEST_CASE("where call paths ended before max_call_paths there was no more address space") {
    const auto short_of_space = [](int paths, std::uint32_t flags = 0, std::uint64_t calls = 9) {
        Recording r;
        r.header.flags |= flags;
        r.add_thread(1000);
        for (int i = 1; i < paths; ++i)
            r.add_node("f" + std::to_string(i), 0, 1, 1, 1);
        const std::uint32_t more = r.add_node("", 0, 0, 0, 0, vfd::NodeKind::Overflow);
        r.add_node("deep", more, calls, 5, 5);
        return r.profile().summary.short_of_space;
    };
    CHECK(short_of_space(98));
    CHECK_FALSE(short_of_space(99));
    CHECK_FALSE(short_of_space(98, 0, 0));
    CHECK_FALSE(short_of_space(98, vfd::FlagForked)); // its parent's
}

TEST_CASE("the cost of MPI wrappers is told apart, and of the thread that lost most") {
    Recording r;
    r.header.costs.timed = r.header.costs.timed_long = 2;
    r.add_thread(1000);
    r.add_node("f", 0, 10, 1, 1);
    r.add_node("MPI_Send", 0, 3, 1, 1, vfd::NodeKind::Mpi);
    r.add_thread(1000);
    r.add_node("f", 0, 4, 1, 1);
    Profile p = r.profile();
    CHECK(p.summary.times.sum.hook_overhead == 20);
    CHECK(p.summary.times.sum.mpi_overhead == 6);
}

TEST_CASE("what the recorder did now and then is no function's time, and overhead of its own") {
    Recording r;
    r.header.costs.timed = r.header.costs.timed_long = 2;
    r.header.ending_ns = 30;
    r.add_thread(1000);
    r.root().exclusive = 500;
    r.root().inclusive = 501;
    r.record().one_time_work = 300;
    r.record().sampling = 20;
    r.add_node("f", 0, 10, 1, 1);
    r.end_thread(1501);
    Profile p = r.profile();
    CHECK(at(p, "init").exclusive == 500 - 300 - 20 - 10 * 2);
    CHECK(at(p, "init").raw_exclusive == 500 - 300);
    CHECK(p.summary.times.sum.hook_overhead == 40);
    CHECK(p.summary.times.sum.one_time_work == 300 + 30);
    CHECK(p.summary.times.sum.runtime == 1000 + 30);
}

// Issue: head and tables contradict each other once ranks lose time differently.
TEST_CASE(
    "what ranks lose that lose time differently is the head's: with the times of paths it adds up to their lives") {
    const auto rank = [](std::int32_t number, std::uint64_t waiting, std::uint64_t once) {
        Recording r;
        r.header.rank = number;
        r.header.size = 3;
        r.header.costs.timed = r.header.costs.timed_long = 2;
        r.add_thread(1000);
        r.root().exclusive = 800 - waiting;
        r.record().preempted = waiting;
        r.record().one_time_work = once;
        r.add_node("f", 0, 10, 200, 200);
        r.end_thread(2000);
        return r.profile();
    };
    Profile all = rank(2, 600, 0);
    merge(all, rank(0, 0, 50));
    merge(all, rank(1, 100, 10));
    const RankTimes& sum = all.summary.times.sum;
    std::uint64_t of_paths = 0;
    for (const PathNode& path : all.nodes)
        of_paths += path.exclusive;
    CHECK(sum == RankTimes{3000, 60, 0, 60, 700, 21}); // hooks are known to a third
    CHECK(of_paths == sum.application());
    CHECK(of_paths == all.summary.runtime_sum);
    CHECK(all.breakdown.sum() == sum.runtime);
    CHECK(all.breakdown.of(Activity::NoCore).sum == sum.waiting);
    CHECK(all.breakdown.of(Activity::Overhead).sum == sum.overhead());
    CHECK(all.summary.times.slowest == RankTimes{1000, 20, 0, 0, 600, 7});
    CHECK(all.summary.times.slowest_rank == 2);
    CHECK(all.summary.times.longest == 1000);
}

TEST_CASE("calls that were not timed cost less") {
    Recording r;
    r.header.costs.timed = r.header.costs.timed_long = 2;
    r.header.costs.folded = 0.5;
    r.add_thread(1000);
    r.add_node("fib", 0, 100, 1, 1);
    r.last_node().folded = 80;
    Profile p = r.profile();
    CHECK(at(p, "fib<init").overhead == 20 * 2 + 80 / 2);
    CHECK(p.summary.times.sum.hook_overhead == 80);
}

TEST_CASE("calls that were counted and not timed: a path's share of its caller's time, and how far that may be off") {
    Recording r;
    r.add_thread(1000);
    r.root().exclusive = 10000;
    std::uint32_t leaf = r.add_node("leaf", 0, 120, 100, 100);
    r.last_node().countdown = 20; // ahead
    vfd::Estimate estimate{};
    estimate.node = leaf;
    estimate.count_only_calls = 110;
    estimate.weight = 45;
    estimate.own = 450;
    estimate.variance = 2e8;
    r.estimates(0, {estimate});
    r.end_thread(2000);
    Profile p = r.profile();
    CHECK(at(p, "leaf<init").calls == 100);
    CHECK(at(p, "leaf<init").estimated == 90);
    CHECK(at(p, "leaf<init").exclusive == 100 + 900);
    CHECK(at(p, "leaf<init").inclusive == 1000);
    CHECK(at(p, "leaf<init").variance == 800); // µs²
    CHECK(at(p, "init").exclusive == 10000 - 900);
    CHECK(at(p, "init").estimated == 0);
    CHECK(at(p, "init").variance == 800);
    CHECK(p.summary.runtime_sum == 10100);
}

TEST_CASE("a path whose function was excluded while the program ran is marked, and remarks of the process are read") {
    Recording r;
    r.add_thread(1000);
    r.add_node("kept", 0, 5, 50, 50);
    r.add_node("tiny", 0, 7, 70, 70);
    r.last_node().countdown = vfd::CountdownUnrecorded;
    r.note(8, "hook calls taken out: 3");
    r.note(9, "hook calls taken out: 12");
    r.note(10, "hook calls stay: no\nreason");
    r.note(12, "hook calls of uncertain functions: 7");
    r.note(13, "threads refused: 5");
    r.note(14, "threads without a ring of samples: 6");
    r.note(11, "of no meaning");
    r.end_thread(2000);
    const Profile p = r.profile();
    CHECK(at(p, "tiny<init").excluded);
    CHECK_FALSE(at(p, "kept<init").excluded);
    CHECK(p.summary.hook_calls_out == 12);
    CHECK(p.summary.hook_calls_uncertain == 7);
    CHECK(p.summary.refused_threads == 5);
    CHECK(p.summary.threads_without_ring == 6);
    CHECK(p.hook_calls_stay == "no?reason");
}

TEST_CASE("the only thread of a process counts, but has no row") {
    Recording r;
    r.add_thread(1000);
    r.add_node("main", 0, 1, 300, 300);
    Profile p = r.profile();
    CHECK(p.threads.empty());
    CHECK(p.thread_totals.first.records == 1);
    CHECK(p.thread_totals.started.records == 0);
}

TEST_CASE("a recording without a thread has a root") {
    Recording r;
    Profile p = r.profile();
    REQUIRE(p.nodes.size() == 1);
    CHECK(call_path(p, 0) == "init");
    CHECK(p.summary.runtime_sum == 0);
}
