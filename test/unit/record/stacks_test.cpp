// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include "record/stacks/known_stacks.hpp"
#include "record/stacks/stacks.hpp"

#include <pthread.h>
#include <vector>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {
constexpr std::uint64_t F = 0x10, G = 0x20, H = 0x30, K = 0x40;
constexpr std::uint64_t Fiber = Thread::StackHigh + 0x1000000;        // an address far from the thread's own stack
constexpr std::uint64_t Context = 2 * Fiber, NextContext = 3 * Fiber; // what is known of them stays known
} // namespace

TEST_CASE("what runs on a stack of its own begins below the root, and the frames of the stack that was left stay",
          "[record][stacks]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.enter(H, Fiber);
    CHECK(thread.open_keys() == Keys{H});
    thread.enter(K, Fiber - 0x100);
    thread.enter(K, 0x7000); // back, without a leave
    CHECK(thread.open_keys() == Keys{F, G, K});
    thread.leave(K, 0x7000);
    thread.leave(K, Fiber - 0x100);
    CHECK(thread.open_keys() == Keys{H});
    thread.leave(G, 0x8000);
    CHECK(thread.open_keys() == Keys{F});
    thread.leave(H, Fiber);
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->vanished == 0);
    CHECK(thread.state().record->unmatched == 0);
    thread.end_and_add_up();
}

TEST_CASE("time on a stack is that of the functions on it", "[record][stacks]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, Fiber);
    spend_time(100000);
    thread.enter(H, 0x8000); // F's callee, while G waits
    spend_time(100000);
    thread.leave(H, 0x8000);
    thread.leave(F, 0x9000);
    thread.leave(G, Fiber);
    for (std::uint32_t id = 1; id < thread.node_count(); ++id) {
        const vfd::Node& node = thread.node(id);
        CHECK(node.open == 0);
        CHECK(node.calls == 1);
        if (node.key == G)
            CHECK(node.inclusive == node.exclusive);
        if (node.key == F)
            CHECK(node.inclusive == node.exclusive + thread.sum_of_exclusive(H));
        CHECK(node.exclusive >= (node.key == F ? 0 : 100000));
    }
    thread.end_and_add_up();
}

TEST_CASE("a folded recursion goes on where its stack was left", "[record][stacks]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(F, 0x8000);
    thread.enter(F, 0x7000);
    thread.enter(G, Fiber);
    thread.leave(F, 0x7000);
    thread.leave(F, 0x8000);
    CHECK(thread.open_keys() == Keys{F});
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(thread.node(1).open == 0);
    CHECK(thread.node(1).folded == 2);
    CHECK(thread.state().record->unmatched == 0);
}

TEST_CASE("a thousand fibers with the same functions have the same paths, and each its own frames",
          "[record][stacks]") {
    Recording recording;
    Thread thread;
    constexpr std::uint64_t Fibers = 1000, Bytes = 0x8000;
    thread.enter(F, 0x9000);
    for (std::uint64_t round = 0; round < 20; ++round)
        for (std::uint64_t i = 0; i < Fibers; ++i) {
            if (round == 0)
                thread.enter(G, Fiber + i * Bytes);
            if (round == 1 + i % 10)
                thread.enter(H, Fiber + i * Bytes - 0x200 - i % 7);
            thread.enter(K, Fiber + i * Bytes - 0x400);
            thread.leave(K, Fiber + i * Bytes - 0x400);
        }
    CHECK(thread.node_count() == 6); // init, F, G, K<G, H<G, K<H<G
    CHECK(thread.calls(K) == 20 * Fibers);
    for (std::uint64_t i = Fibers; i-- > 0;) {
        thread.leave(H, Fiber + i * Bytes - 0x200 - i % 7);
        thread.leave(G, Fiber + i * Bytes);
        CHECK(thread.depth() == 0);
    }
    CHECK(thread.state().record->vanished == 0);
    CHECK(thread.state().record->unmatched == 0);
    thread.leave(F, 0x9000);
    for (std::uint32_t id = 1; id < thread.node_count(); ++id)
        CHECK(thread.node(id).open == 0);
    thread.end_and_add_up();
}

TEST_CASE("a known stack is one, however far apart its functions are", "[record][stacks]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    context_is_entered(Context - 0x100000, Context + 0x1000);
    thread.enter(G, Context);
    thread.enter(H, Context - 0xf0000);
    CHECK(thread.open_keys() == Keys{G, H});
    thread.enter(K, Context - 0x100000 - 0x100); // the next one
    CHECK(thread.open_keys() == Keys{K});
    thread.leave(H, Context - 0xf0000);
    CHECK(thread.open_keys() == Keys{G});
    CHECK(thread.state().record->vanished == 0);
}

TEST_CASE("frames of a stack that is used for another context are gone", "[record][stacks]") {
    Recording recording;
    Thread thread;
    thread.enter(F, NextContext);
    thread.enter(G, 0x9000);
    context_is_entered(NextContext - 0x10000, NextContext + 0x1000);
    thread.enter(H, NextContext - 0x8000); // not within what is known of F's stack
    CHECK(thread.open_keys() == Keys{H});
    CHECK(thread.state().record->vanished == 1);
    thread.leave(H, NextContext - 0x8000);
    thread.leave(G, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->unmatched == 0);
}

TEST_CASE("a leave on a stack where nothing was entered changes nothing and is counted", "[record][stacks]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.leave(F, Fiber); // of a fiber that another thread began
    CHECK(thread.open_keys() == Keys{F});
    CHECK(thread.state().record->unmatched == 1);
    CHECK(thread.state().guard == GuardReady);
}

TEST_CASE("frames that were left on other stacks end with their thread", "[record][stacks]") {
    Recording recording;
    Thread thread;
    thread.enter(F, Fiber);
    thread.enter(G, Fiber - 0x100);
    thread.enter(H, 0x9000);
    thread.end();
    CHECK(thread.state().record->vanished == 3);
    CHECK(thread.sum_of_exclusive() == thread.lifetime());
}

TEST_CASE("a jump closes what was called deeper at once", "[record][stacks]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.enter(H, 0x7000);
    SECTION("on its stack") {
        arrive_at(0x8f00);
        CHECK(thread.open_keys() == Keys{F});
        CHECK(thread.state().record->vanished == 2);
    }
    SECTION("not what is deeper on a stack that is only left") {
        arrive_at(Fiber);
        CHECK(thread.open_keys() == Keys{F, G, H});
    }
    SECTION("not within a hook") {
        hold_guard(thread.state(), 0x7000);
        arrive_at(0x6f00);
        CHECK(thread.open_keys() == Keys{F, G, H});
        CHECK(thread.state().guard == 0x7000);
    }
    SECTION("a hook that it leaves as well") {
        hold_guard(thread.state(), 0x7000);
        arrive_at(0x8f00);
        CHECK(thread.open_keys() == Keys{F});
        CHECK(thread.state().guard == GuardReady);
    }
    SECTION("not a hook on another stack") {
        hold_guard(thread.state(), Fiber);
        arrive_at(0x8f00);
        CHECK(thread.open_keys() == Keys{F, G, H});
        CHECK(thread.state().guard == Fiber);
    }
}

TEST_CASE("a thread's own stack is known", "[record][stacks]") {
    bool grows = false;
    volatile char here = 0;
    auto at = reinterpret_cast<std::uint64_t>(&here);
    CHECK(find_own_stack(grows).holds(at));
    CHECK(grows);
    StackRange mapping;
    REQUIRE(find_mapping(at, mapping));
    CHECK(mapping.holds(at));
    CHECK_FALSE(find_mapping(1, mapping));
    pthread_t id;
    bool seen = false;
    REQUIRE(pthread_create(
                &id, nullptr,
                [](void* seen) -> void* {
                    bool grows = true;
                    volatile char here = 0;
                    *static_cast<bool*>(seen) =
                        find_own_stack(grows).holds(reinterpret_cast<std::uint64_t>(&here)) && !grows;
                    return nullptr;
                },
                &seen) == 0);
    pthread_join(id, nullptr);
    CHECK(seen);
}
