// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include "base/clock.hpp"

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

TEST_CASE("direct recursion is one call path whose calls are counted", "[record][tree]") {
    Recording recording;
    Thread thread;
    for (std::uint64_t i = 0; i < 1000; ++i)
        thread.enter(0x10, 0x9000 - 16 * i);
    CHECK(thread.node_count() == 2);
    CHECK(thread.node(1).open == 1000);
    for (std::uint64_t i = 1000; i-- > 0;)
        thread.leave(0x10, 0x9000 - 16 * i);
    CHECK(thread.calls(0x10) == 1000);
    CHECK(thread.node(1).folded == 999);
    CHECK(thread.node(1).open == 0);
    CHECK(thread.depth() == 0);
    CHECK(thread.node(1).inclusive == thread.node(1).exclusive);
}

TEST_CASE("to make a call path is no time of the functions that run", "[record][tree]") {
    constexpr std::uint64_t Slow = 1 << 22; // ticks
    Settings settings;
    settings.decision_on = [](std::uint64_t) -> std::uint8_t {
        for (const std::uint64_t begin = base::read_ticks(); base::read_ticks() - begin < Slow;)
            ;
        return DecisionExcluded;
    };
    Recording recording(settings);
    Thread thread;
    thread.state().record->one_time_work = 0;
    recorder.settings.decision_on = nullptr;
    thread.enter(0x10, 0x9000);
    recorder.settings.decision_on = settings.decision_on;
    const std::uint64_t begin = base::read_ticks();
    thread.enter(0x20, 0x8000);
    thread.leave(0x20, 0x8000);
    const std::uint64_t passed = base::read_ticks() - begin;
    recorder.settings.decision_on = nullptr;
    thread.leave(0x10, 0x9000);
    const vfd::ThreadRecord& record = *thread.state().record;
    CHECK(thread.node_count() == 3); // one stands for what is not recorded
    CHECK(record.one_time_work + record.preempted >= Slow);
    CHECK(record.one_time_work <= passed + Slow / 4);
    CHECK(thread.node(1).inclusive + Slow <= passed + Slow / 2 + Slow / 4);
    thread.end();
    CHECK(thread.node(0).exclusive >= record.one_time_work);
}

TEST_CASE("a callee that is not recorded is told until that is answered", "[record][tree]") {
    static int told;
    told = 0;
    Settings settings;
    settings.decision_on = [](std::uint64_t function) -> std::uint8_t {
        return function == 0x20 ? DecisionExcluded : 0;
    };
    settings.excluded_call = [](std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) {
        CHECK(caller == 0x10);
        CHECK(function == 0x20);
        told += hook_site != 0;
        return told >= 5 && hook_site != 0;
    };
    Recording recording(settings);
    Thread thread;
    thread.enter(0x10, 0x9000);
    for (int call = 0; call < 20; ++call) {
        thread.enter(0x20, 0x8000);
        thread.leave(0x20, 0x8000);
    }
    CHECK(told == 5);
    CHECK(thread.node_count() == 3);
    thread.leave(0x10, 0x9000);
    CHECK(thread.state().record->unmatched == 0);
    thread.end_and_add_up();
}

TEST_CASE("mutual recursion does not grow the tree beyond max_recursion", "[record][tree]") {
    Settings settings;
    settings.max_recursion = 3;
    Recording recording(settings);
    Thread thread;
    std::uint64_t stack_pointer = 0x90000;
    for (int i = 0; i < 2000; ++i)
        thread.enter(i % 2 ? 0x20 : 0x10, stack_pointer -= 16);
    CHECK(thread.node_count() == 1 + 2 * 3);
    for (int i = 2000; i-- > 0; stack_pointer += 16)
        thread.leave(i % 2 ? 0x20 : 0x10, stack_pointer);
    CHECK(thread.calls(0x10) == 1000);
    CHECK(thread.calls(0x20) == 1000);
    CHECK(thread.depth() == 0);
    thread.end_and_add_up();
}

TEST_CASE("beyond max_call_paths the calls of each function are still exact", "[record][tree]") {
    Settings settings;
    settings.max_call_paths = 100;
    Recording recording(settings);
    Thread thread;
    constexpr std::uint64_t Callers = 50, Callees = 20;
    for (int round = 0; round < 2; ++round)
        for (std::uint64_t caller = 0; caller < Callers; ++caller) {
            thread.enter(0x1000 + 16 * caller, 0x9000);
            for (std::uint64_t callee = 0; callee < Callees; ++callee) {
                thread.enter(0x8000 + 16 * callee, 0x8000);
                thread.leave(0x8000 + 16 * callee, 0x8000);
            }
            thread.leave(0x1000 + 16 * caller, 0x9000);
        }
    unsigned wrong = 0;
    for (std::uint64_t caller = 0; caller < Callers; ++caller)
        wrong += thread.calls(0x1000 + 16 * caller) != 2;
    for (std::uint64_t callee = 0; callee < Callees; ++callee)
        wrong += thread.calls(0x8000 + 16 * callee) != 2 * Callers;
    CHECK(wrong == 0);
    CHECK(thread.node_count() <= 100 + 1 + Callers + Callees);
    unsigned overflow_nodes = 0;
    for (std::uint32_t id = 0; id < thread.node_count(); ++id)
        overflow_nodes += thread.node(id).kind == vfd::NodeKind::Overflow;
    CHECK(overflow_nodes == 1);
    thread.end_and_add_up();
}

TEST_CASE("exclusive times add up to the life of the thread", "[record][tree]") {
    Recording recording;
    Thread thread;
    std::uint64_t random = 1;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> open;
    for (int i = 0; i < 20000; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (open.size() < 60 && (open.empty() || (random >> 40) % 5 < 3)) {
            std::uint64_t stack_pointer = (open.empty() ? 0x90000 : open.back().second) - 32;
            open.emplace_back(0x10 + (random >> 33) % 7, stack_pointer);
            thread.enter(open.back().first, stack_pointer);
        } else {
            thread.leave(open.back().first, open.back().second);
            open.pop_back();
        }
    }
    thread.end(); // with functions open
    CHECK(thread.sum_of_exclusive() == thread.lifetime());
    std::uint64_t still_open = 0;
    for (std::uint32_t id = 0; id < thread.node_count(); ++id)
        still_open += thread.node(id).open;
    CHECK(still_open == 0);
    CHECK(thread.node(0).inclusive == thread.lifetime());
}

TEST_CASE("a parent's id is smaller than its children's", "[record][tree]") {
    Recording recording;
    Thread thread;
    for (std::uint64_t depth = 0; depth < 500; ++depth)
        thread.enter(0x1000 + 16 * depth, 0x9000 - 16 * depth);
    CHECK(thread.node_count() == 501);
    unsigned wrong = 0;
    for (std::uint32_t id = 1; id < thread.node_count(); ++id)
        wrong += thread.node(id).parent >= id;
    CHECK(wrong == 0);
}
