// SPDX-License-Identifier: BSD-3-Clause
#include "times_by_column.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace vftr;
using namespace vftr::analysis;
using vftr::test::TimesByColumn;

namespace {

struct Recording {
    std::vector<vfd::Node> nodes;
    std::vector<vfd::Frame> stack;

    explicit Recording(std::uint32_t node_count) : nodes(node_count) {}
    void enter(std::uint32_t node, std::uint64_t ticks, std::uint64_t child = 0, std::uint32_t flags = 0) {
        vfd::Frame frame{};
        frame.node = node;
        frame.enter = ticks;
        frame.child = child;
        frame.flags = flags;
        stack.push_back(frame);
    }
    TimesByColumn until(std::uint64_t end) const {
        const vfd::ThreadRecord record{};
        vfd::ThreadView view{};
        view.record = &record;
        view.node_count = static_cast<std::uint32_t>(nodes.size());
        view.node_chunks = {std::span(nodes).first(1), std::span(nodes).subspan(1)};
        view.chunk_first = {0, 1};
        view.stack = stack;
        return thread_times(view, {}, end);
    }
};

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

} // namespace

TEST_CASE("a thread that ended has the times of its nodes") {
    Recording r(2);
    r.nodes[0].exclusive = 10;
    r.nodes[0].inclusive = 30;
    r.nodes[1].exclusive = r.nodes[1].inclusive = 20;
    TimesByColumn t = r.until(1000);
    CHECK(t.exclusive == std::vector<std::uint64_t>{10, 20});
    CHECK(t.inclusive == std::vector<std::uint64_t>{30, 20});
}

TEST_CASE("open functions count up to the end, and everything adds up to the thread's life") {
    // init enters at 100; main at 110; a ran from 120 to 150 and b (below main) is open since 160.
    Recording r(4);
    r.nodes[2].exclusive = r.nodes[2].inclusive = 30;
    r.enter(0, 100);
    r.enter(1, 110, 30);
    r.enter(3, 160);
    TimesByColumn t = r.until(200);
    CHECK(t.exclusive == std::vector<std::uint64_t>{10, 20, 30, 40});
    CHECK(t.inclusive == std::vector<std::uint64_t>{100, 90, 30, 40});
    CHECK(sum(t.exclusive) == 100);
}

TEST_CASE("a folded recursion has no time of its own") {
    Recording r(3);
    r.enter(0, 0);
    r.enter(1, 10);
    r.enter(1, 0, 7, vfd::FrameFolded); // a callee of the inner activation took 7
    r.nodes[2].exclusive = r.nodes[2].inclusive = 7;
    r.enter(1, 0, 0, vfd::FrameFolded);
    r.enter(2, 50);
    TimesByColumn t = r.until(60);
    CHECK(t.exclusive == std::vector<std::uint64_t>{10, 33, 17});
    CHECK(t.inclusive == std::vector<std::uint64_t>{60, 50, 17});
}

TEST_CASE("a call that is only counted has no time of its own, what it calls has") {
    Recording r(3);
    r.enter(0, 0);
    r.enter(1, 0, 7, vfd::FrameCountOnly); // a callee took 7
    r.enter(2, 50);
    TimesByColumn t = r.until(60);
    CHECK(t.exclusive == std::vector<std::uint64_t>{43, 0, 10});
    CHECK(t.inclusive == std::vector<std::uint64_t>{60, 0, 10});
}

TEST_CASE("inclusive time grows only with the outermost activation") {
    // Mutual recursion folded onto earlier paths: 1 → 2 → 1 → 2.
    Recording r(3);
    r.enter(0, 0);
    r.enter(1, 10);
    r.enter(2, 20);
    r.enter(1, 30);
    r.enter(2, 40);
    TimesByColumn t = r.until(50);
    CHECK(t.inclusive == std::vector<std::uint64_t>{50, 40, 30});
    CHECK(t.exclusive == std::vector<std::uint64_t>{10, 20, 20});
}

TEST_CASE("frames of a thread that runs on while it is read do no harm") {
    Recording r(2);
    r.enter(0, 0);
    r.enter(1, 10);
    r.enter(77, 20);  // newer than the view
    r.enter(1, 5000); // after the end of the view
    TimesByColumn t = r.until(100);
    CHECK(sum(t.exclusive) == 100);
}
