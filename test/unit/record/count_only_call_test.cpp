// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using Keys = std::vector<std::uint64_t>;

namespace {

constexpr std::uint64_t F = 0x10, G = 0x20, H = 0x30;

// F has begun and has called G once; G's next calls are not to be timed.
class Program {
public:
    explicit Program(std::int32_t countdown = 10) {
        thread.enter(F, 0x9000);
        thread.enter(G, 0x8000);
        g = thread.state().top->node;
        thread.leave(G, 0x8000);
        node().countdown = countdown;
        node().calls += countdown > 0 ? static_cast<std::uint64_t>(countdown) : 0;
    }
    vfd::Node& node() { return thread.state().nodes[g]; }
    ~Program() {
        thread.end();
        CHECK(thread.sum_of_exclusive() == thread.lifetime());
    }

    Recording recording;
    Thread thread;
    std::uint32_t g;
};

} // namespace

TEST_CASE("a count_only call is counted, shown to readers, and over with its leave", "[record][count_only]") {
    Program p;
    p.thread.enter(G, 0x8000);
    CHECK(p.thread.state().record->count_only_node == p.g);
    CHECK(p.thread.open_keys() == Keys{F});
    CHECK(p.thread.calls(G) == 2);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.state().record->count_only_node == 0);
    CHECK(p.thread.state().guard == GuardReady);
    CHECK(p.node().inclusive <= p.thread.lifetime());
    for (int i = 0; i < 20; ++i) {
        p.thread.enter(G, 0x8000);
        p.thread.leave(G, 0x8000);
    }
    CHECK(p.thread.calls(G) == 22);
    CHECK(p.node().countdown == 0);
}

TEST_CASE("no call passes while somebody waits for a second look", "[record][count_only]") {
    Program p;
    const std::int32_t countdown = p.node().countdown;
    request_slow_path(p.thread.state());
    p.thread.enter(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F, G});
    CHECK(p.node().countdown == countdown);
    p.thread.leave(G, 0x8000);
    CHECK_FALSE(slow_path_is_requested(p.thread.state()));
    p.thread.enter(G, 0x8000);
    CHECK(p.thread.state().record->count_only_node == p.g);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.calls(G) == 3);
}

TEST_CASE("a callee makes a frame of a count_only call", "[record][count_only]") {
    Program p;
    p.thread.enter(G, 0x8000);
    p.thread.enter(H, 0x7000);
    CHECK(p.thread.open_keys() == Keys{F, G, H});
    CHECK(p.thread.state().record->count_only_node == 0);
    CHECK(p.thread.state().record->depth == 4);
    CHECK(p.node().open == 1);
    spend_time();
    p.thread.leave(H, 0x7000);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F});
    CHECK(p.node().open == 0);
    CHECK(p.thread.state().record->unmatched == 0);
}

TEST_CASE("a signal handler that interrupts a count_only call is its callee, and its leave still finds it",
          "[record][count_only]") {
    Program p;
    p.thread.enter(G, 0x8000);
    p.thread.enter(H, 0x6000); // the handler
    p.thread.leave(H, 0x6000);
    CHECK_FALSE(end_count_only_call(p.thread.state(), G));
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F});
    CHECK(p.thread.state().record->vanished == 0);
}

TEST_CASE("a hook that is interrupted before it makes the frame of a count_only call makes no second one",
          "[record][count_only]") {
    Program p;
    p.thread.enter(G, 0x8000);
    p.thread.enter(H, 0x6000); // the handler; the hook has seen a count-only call
    p.thread.leave(H, 0x6000);
    CHECK_FALSE(materialize_frame(p.thread.state(), 0x7000));
    CHECK(p.thread.open_keys() == Keys{F, G});
    CHECK(p.node().open == 1);
    CHECK(p.thread.state().guard == GuardReady);
}

TEST_CASE("a count_only call that is jumped out of is dropped", "[record][count_only]") {
    Program p;
    p.thread.enter(G, 0x8000);
    p.thread.leave(F, 0x9000);
    CHECK(p.thread.depth() == 0);
    CHECK(p.thread.state().record->vanished == 1);
}

TEST_CASE("entries of the library see the count_only call as the innermost function", "[record][count_only]") {
    Program p;
    p.thread.enter(G, 0x8000);
    {
        HeldGuard guard;
        CHECK(p.thread.open_keys() == Keys{F, G});
    }
    CHECK(p.thread.state().guard == GuardReady);
    p.thread.leave(G, 0x8000);
    p.thread.enter(G, 0x8000);
    CHECK(materialized_thread() == &p.thread.state());
    CHECK(p.thread.open_keys() == Keys{F, G});
    p.thread.leave(G, 0x8000);
}

TEST_CASE("a region that ends below a count-only call keeps the time", "[record][count_only]") {
    Program p;
    std::uint64_t region = recorder.names.intern("r", vfd::NodeKind::Region);
    REQUIRE(enter_named(region, vfd::NodeKind::Region, 0x9000));
    p.thread.enter(G, 0x8000);
    p.thread.leave(G, 0x8000);
    const std::uint32_t inner = p.thread.state().top[1].node;
    p.thread.state().nodes[inner].countdown = 1;
    p.thread.state().nodes[inner].calls += 1;
    p.thread.enter(G, 0x8000);
    p.thread.enter(H, 0x7000);
    spend_time();
    p.thread.leave(H, 0x7000);
    CHECK(leave_named(region) == Left::Matched);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F});
}

TEST_CASE("an excluded function leaves no trace, and what it calls is its caller's", "[record][count_only]") {
    Program p(vfd::CountdownUnrecorded);
    p.thread.enter(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F});
    p.thread.enter(H, 0x7000);
    CHECK(p.thread.open_keys() == Keys{F, H});
    p.thread.leave(H, 0x7000);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F});
    CHECK(p.thread.calls(G) == 1);
    CHECK(p.thread.state().record->unmatched == 0);
    CHECK(p.thread.state().record->vanished == 0);
}
