// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {
constexpr std::uint64_t F = 0x10, G = 0x20, H = 0x30, K = 0x40;
}

TEST_CASE("frames below a caller's stack pointer are dead", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.enter(H, 0x7000); // jumps back into F
    thread.enter(K, 0x8800);
    CHECK(thread.open_keys() == Keys{F, K});
    CHECK(thread.state().record->vanished == 2);
}

TEST_CASE("thousands of jumps leave no frames behind", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    for (int i = 0; i < 3000; ++i) {
        thread.enter(G, 0x8000);
        thread.enter(H, 0x7000);
    }
    CHECK(thread.depth() == 3);
    CHECK(thread.calls(H) == 3000);
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->vanished == 6000);
    thread.end_and_add_up();
}

TEST_CASE("at the same stack pointer another return address means another machine frame", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000, 201);
    thread.enter(H, 0x8000, 202);
    CHECK(thread.open_keys() == Keys{F, H});
    CHECK(thread.state().record->vanished == 1);
}

TEST_CASE("a hook instruction that runs again in a machine frame has lost its first call", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000, 200, 1);
    thread.enter(G, 0x9000, 200, 2); // inlined into F
    thread.enter(H, 0x9000, 200, 3); // inlined into G
    thread.enter(G, 0x9000, 200, 2); // F's loop again: G and H left by an exception
    CHECK(thread.open_keys() == Keys{F, G});
    CHECK(thread.state().record->vanished == 2);
}

TEST_CASE("inlined functions of one machine frame are alive together", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000, 200, 1);
    thread.enter(G, 0x9000, 200, 2);
    thread.enter(H, 0x9000, 200, 3);
    CHECK(thread.open_keys() == Keys{F, G, H});
    thread.leave(H, 0x9000);
    thread.leave(G, 0x9000);
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->vanished == 0);
    CHECK(thread.state().record->unmatched == 0);
}

TEST_CASE("a leave hook that is jumped to sees the caller's stack pointer", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.leave(G, 0x8100, true);
    CHECK(thread.open_keys() == Keys{F});
    thread.leave(F, 0x9100, true);
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->unmatched == 0);
}

TEST_CASE("a leave closes the dead frames above its own", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.enter(H, 0x7000);
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->vanished == 2);
    CHECK(thread.node(1).inclusive >= thread.node(2).inclusive);
}

TEST_CASE("a leave without an enter changes nothing and is counted", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.leave(K, 0x8000);
    CHECK(thread.open_keys() == Keys{F});
    CHECK(thread.state().record->unmatched == 1);
    CHECK(thread.state().guard == GuardReady);
}

TEST_CASE("a recursion that was left by a jump ends at the right activation", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.enter(F, 0x7000);
    thread.enter(G, 0x6000);
    thread.leave(F, 0x9000); // longjmp into the first F
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->vanished == 3);
    for (std::uint32_t id = 1; id < thread.node_count(); ++id)
        CHECK(thread.node(id).open == 0);
}

TEST_CASE("time of callees of a folded recursion is that of the callees", "[record][frames]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(F, 0x8000); // folded
    thread.enter(G, 0x7000);
    spend_time(100000);
    thread.leave(G, 0x7000);
    thread.leave(F, 0x8000);
    thread.leave(F, 0x9000);
    const vfd::Node &f = thread.node(1), &g = thread.node(2);
    REQUIRE(g.key == G);
    CHECK(g.inclusive >= 100000);
    CHECK(f.exclusive == f.inclusive - g.inclusive);
    thread.end_and_add_up();
}

TEST_CASE("the shadow stack grows with what stands on it", "[record][frames]") {
    Recording recording;
    Thread thread;
    constexpr std::uint64_t Depth = 5000;
    for (std::uint64_t i = 0; i < Depth; ++i)
        thread.enter(0x1000 + i % 10, 0xf0000 - 16 * i);
    CHECK(thread.depth() == Depth);
    vfd::Image image = recording.live_image();
    REQUIRE(image.threads().size() == 1);
    CHECK(image.threads()[0].stack.size() == Depth + 1);
    for (std::uint64_t i = Depth; i-- > 0;)
        thread.leave(0x1000 + i % 10, 0xf0000 - 16 * i);
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->vanished == 0);
}
