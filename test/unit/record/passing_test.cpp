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
    explicit Program(std::int32_t skip = 10) {
        thread.enter(F, 0x9000);
        thread.enter(G, 0x8000);
        g = thread.state().top->node;
        thread.leave(G, 0x8000);
        node().skip = skip;
        node().calls += skip > 0 ? static_cast<std::uint64_t>(skip) : 0;
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

TEST_CASE("a passing call is counted, shown to readers, and over with its leave", "[record][passing]") {
    Program p;
    p.thread.enter(G, 0x8000);
    CHECK(p.thread.state().record->passing == p.g);
    CHECK(p.thread.open_keys() == Keys{F});
    CHECK(p.thread.calls(G) == 2);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.state().record->passing == 0);
    CHECK(p.thread.state().guard == GuardReady);
    CHECK(p.node().inclusive <= p.thread.lifetime());
    for (int i = 0; i < 20; ++i) {
        p.thread.enter(G, 0x8000);
        p.thread.leave(G, 0x8000);
    }
    CHECK(p.thread.calls(G) == 22);
    CHECK(p.node().skip == 0);
}

TEST_CASE("no call passes while somebody waits for a second look", "[record][passing]") {
    Program p;
    const std::int32_t skip = p.node().skip;
    ask_for_second_look(p.thread.state());
    p.thread.enter(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F, G});
    CHECK(p.node().skip == skip);
    p.thread.leave(G, 0x8000);
    CHECK_FALSE(second_look_is_asked_for(p.thread.state()));
    p.thread.enter(G, 0x8000);
    CHECK(p.thread.state().record->passing == p.g);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.calls(G) == 3);
}

TEST_CASE("a callee makes a frame of a passing call", "[record][passing]") {
    Program p;
    p.thread.enter(G, 0x8000);
    p.thread.enter(H, 0x7000);
    CHECK(p.thread.open_keys() == Keys{F, G, H});
    CHECK(p.thread.state().record->passing == 0);
    CHECK(p.thread.state().record->depth == 4);
    CHECK(p.node().open == 1);
    spend_time();
    p.thread.leave(H, 0x7000);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F});
    CHECK(p.node().open == 0);
    CHECK(p.thread.state().record->unmatched == 0);
}

TEST_CASE("a signal handler that interrupts a passing call is its callee, and its leave still finds it", "[record][passing]") {
    Program p;
    p.thread.enter(G, 0x8000);
    p.thread.enter(H, 0x6000); // the handler
    p.thread.leave(H, 0x6000);
    CHECK_FALSE(end_passing(p.thread.state(), G));
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F});
    CHECK(p.thread.state().record->vanished == 0);
}

TEST_CASE("a hook that is interrupted before it makes the frame of a passing call makes no second one", "[record][passing]") {
    Program p;
    p.thread.enter(G, 0x8000);
    p.thread.enter(H, 0x6000); // the handler; the hook has seen a passing call
    p.thread.leave(H, 0x6000);
    CHECK_FALSE(settle_passing(p.thread.state(), 0x7000));
    CHECK(p.thread.open_keys() == Keys{F, G});
    CHECK(p.node().open == 1);
    CHECK(p.thread.state().guard == GuardReady);
}

TEST_CASE("a passing call that is jumped out of is dropped", "[record][passing]") {
    Program p;
    p.thread.enter(G, 0x8000);
    p.thread.leave(F, 0x9000);
    CHECK(p.thread.depth() == 0);
    CHECK(p.thread.state().record->vanished == 1);
}

TEST_CASE("entries of the library see the passing call as the innermost function", "[record][passing]") {
    Program p;
    p.thread.enter(G, 0x8000);
    {
        HeldGuard guard;
        CHECK(p.thread.open_keys() == Keys{F, G});
    }
    CHECK(p.thread.state().guard == GuardReady);
    p.thread.leave(G, 0x8000);
    p.thread.enter(G, 0x8000);
    CHECK(settled_thread() == &p.thread.state());
    CHECK(p.thread.open_keys() == Keys{F, G});
    p.thread.leave(G, 0x8000);
}

TEST_CASE("a region that ends below an untimed call keeps the time", "[record][passing]") {
    Program p;
    std::uint64_t region = recorder.names.intern("r", vfd::NodeKind::Region);
    REQUIRE(enter_named(region, vfd::NodeKind::Region, 0x9000));
    p.thread.enter(G, 0x8000);
    p.thread.leave(G, 0x8000);
    const std::uint32_t inner = p.thread.state().top[1].node;
    p.thread.state().nodes[inner].skip = 1;
    p.thread.state().nodes[inner].calls += 1;
    p.thread.enter(G, 0x8000);
    p.thread.enter(H, 0x7000);
    spend_time();
    p.thread.leave(H, 0x7000);
    CHECK(leave_named(region) == Left::Matched);
    p.thread.leave(G, 0x8000);
    CHECK(p.thread.open_keys() == Keys{F});
}

TEST_CASE("an excluded function leaves no trace, and what it calls is its caller's", "[record][passing]") {
    Program p(vfd::SkipExcluded);
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
