// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: hooks where they tell something. Bounded cost: what is chosen, what is estimated, and what becomes of calls
// that run when a window opens or closes.
#include "fixture.hpp"

#include "record/budget/selection.hpp"
#include "record/budget/window_rate.hpp"
#include "record/budget/windowed.hpp"

#include <algorithm>
#include <cmath>
#include <random>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

constexpr std::uint64_t F = 0x10, G = 0x20, H = 0x30;
constexpr std::uint32_t None = PathCost::NoParent;

const auto nothing_windowed = [](std::uint64_t) { return false; };

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> functions) {
    std::sort(functions.begin(), functions.end());
    return functions;
}

} // namespace

TEST_CASE("the most expensive functions are chosen until the rest is within the limit", "[budget]") {
    const std::vector<PathCost> paths{
        {0, None, 0, true, true}, {F, 0, 50, true, false}, {G, 0, 900, true, false}, {H, 0, 40, true, false}};
    const Selection selection = select_windowed(paths, 100, nothing_windowed);
    CHECK(selection.chosen == std::vector<std::uint64_t>{G});
    CHECK(selection.rest == 90);
    CHECK(select_windowed(paths, 1000, nothing_windowed).chosen.empty());
    CHECK(sorted(select_windowed(paths, 45, nothing_windowed).chosen) == std::vector<std::uint64_t>{F, G});
}

TEST_CASE("what a function calls is chosen with it", "[budget]") {
    const std::vector<PathCost> paths{{0, None, 0, true, true}, {F, 0, 900, true, false}, {G, 1, 1, true, false}};
    const Selection selection = select_windowed(paths, 100, nothing_windowed);
    CHECK(sorted(selection.chosen) == std::vector<std::uint64_t>{F, G});
    CHECK(selection.rest == 0);
}

TEST_CASE("a function that calls something that stays is not chosen", "[budget]") {
    std::vector<PathCost> paths{
        {0, None, 0, true, true}, {F, 0, 900, true, false}, {G, 1, 1, true, false}, {H, 2, 1, true, true}};
    CHECK(select_windowed(paths, 100, nothing_windowed).chosen.empty());
    // On another path it does not.
    paths.push_back({F, 0, 900, true, false});
    CHECK(select_windowed(paths, 100, nothing_windowed).chosen.empty());
    // It has not done so for a long time.
    paths[3].active = false;
    CHECK(sorted(select_windowed(paths, 100, nothing_windowed).chosen) == std::vector<std::uint64_t>{F, G});
}

TEST_CASE("functions that call each other are chosen together", "[budget]") {
    const std::vector<PathCost> paths{
        {0, None, 0, true, true}, {F, 0, 500, true, false}, {G, 1, 500, true, false}, {F, 2, 500, true, false}};
    CHECK(sorted(select_windowed(paths, 100, nothing_windowed).chosen) == std::vector<std::uint64_t>{F, G});
}

TEST_CASE("a windowed function takes what it begins to call along, or is released", "[budget]") {
    std::vector<PathCost> paths{{0, None, 0, true, true}, {F, 0, 0, true, false}, {G, 1, 1, true, false}};
    const auto f_is = [](std::uint64_t function) { return function == F; };
    CHECK(select_windowed(paths, 100, f_is).chosen == std::vector<std::uint64_t>{G});
    paths[2].stays = true;
    const Selection selection = select_windowed(paths, 100, f_is);
    CHECK(selection.chosen.empty());
    CHECK(selection.released == std::vector<std::uint64_t>{F});
}

// The programs of this test have a steady rate, or are busy in a part of the time; windows fall anywhere.
TEST_CASE("the interval of unseen calls has their number in 95 of 100 runs", "[budget]") {
    std::mt19937 random(20261125);
    const double busy_part = GENERATE(1.0, 0.5, 0.1);
    constexpr int Runs = 1000;
    constexpr double Rate = 0.001, Window = 100'000, Outside = 1e9;
    int covered = 0;
    for (int run = 0; run < Runs; ++run) {
        WindowTimes times;
        WindowCalls calls;
        const int windows = std::uniform_int_distribution(10, 200)(random);
        for (int i = 0; i < windows; ++i) {
            times.add(Window, 0);
            const bool busy = std::bernoulli_distribution(busy_part)(random);
            calls.add(busy ? std::poisson_distribution(Rate * Window)(random) : 0, times.latest);
        }
        const CallsOutside estimate = calls_outside(times, calls, Outside, 0, 0);
        covered += std::abs(estimate.calls - Rate * busy_part * Outside) <= estimate.error;
    }
    CHECK(covered >= 0.95 * Runs);
}

TEST_CASE("what hooks cost in a window is not the program's time, and makes the number uncertain", "[budget]") {
    WindowTimes times;
    WindowCalls calls;
    for (int i = 0; i < 100; ++i) {
        times.add(300, 200);
        calls.add(50, times.latest);
    }
    CHECK(times.time == 100 * 100);
    const CallsOutside estimate = calls_outside(times, calls, 1000, 0, 0);
    CHECK(estimate.calls == Approx(500));
    CHECK(estimate.error > 500);
    // By what is known of their cost, hooks took more than there was.
    times.add(100, 1000);
    CHECK(times.latest == Approx((1 - MostHooks) * 100));
}

TEST_CASE("before there are windows, the rate until then is all that is known", "[budget]") {
    const CallsOutside estimate = calls_outside({}, {}, 1000, 0.5, 1000);
    CHECK(estimate.calls == 500);
    CHECK(estimate.error == 500);
}

TEST_CASE("Student's quantiles are those of the tables", "[budget]") {
    CHECK(students_quantile(1) == Approx(12.706).epsilon(0.001));
    CHECK(students_quantile(3) == Approx(3.182).epsilon(0.01));
    CHECK(students_quantile(10) == Approx(2.228).epsilon(0.001));
    CHECK(students_quantile(1000) == Approx(1.962).epsilon(0.001));
}

namespace {

// The windows of the process, as the watcher moves them.
struct SomeWindows {
    SomeWindows() { forget_windows(); }
    ~SomeWindows() { forget_windows(); }
    static void open() {
        windows.open = true;
        windows.new_paths_from = 0;
    }
    static void close(ThreadState& state) {
        windows.closing_at = base::read_ticks();
        windows.new_paths_from = ~std::uint64_t{0};
        windows.open = false;
        windows.closed_at = base::read_ticks();
        request_slow_path(state);
    }
};

void pass(std::uint64_t ticks) {
    const std::uint64_t until = base::read_ticks() + ticks;
    while (base::read_ticks() < until) {
    }
}

constexpr std::uint64_t Long = 1 << 22;

std::uint64_t exclusive_of(const Thread& thread, std::uint64_t key) {
    std::uint64_t sum = 0;
    for (std::uint32_t id = 0; id < thread.node_count(); ++id)
        sum += thread.node(id).key == key ? thread.node(id).exclusive : 0;
    return sum;
}

} // namespace

TEST_CASE("functions are windowed until they are removed", "[budget]") {
    SomeWindows some;
    CHECK_FALSE(is_windowed(F));
    for (std::uint64_t function = 1; function <= MostWindowed; ++function)
        REQUIRE(add_windowed(function << 4));
    CHECK(is_windowed(F));
    CHECK_FALSE(add_windowed(0x77777));
    remove_windowed(F);
    CHECK_FALSE(is_windowed(F));
    CHECK(is_windowed(G));
}

TEST_CASE("a call whose leave was taken out ends when the window began to close", "[budget]") {
    Settings settings;
    settings.cuts_preemptions_out = false;
    Recording recording(settings);
    Thread thread;
    SomeWindows some;
    REQUIRE(add_windowed(G));
    SomeWindows::open();
    thread.enter(F, 0x9000);
    const std::uint64_t before = base::read_ticks();
    thread.enter(G, 0x8000);
    SomeWindows::close(thread.state());
    pass(Long);
    const std::uint64_t passed = base::read_ticks() - windows.closed_at;
    SECTION("at a call that seems to be its callee") {
        thread.enter(H, 0x7000);
        CHECK(thread.open_keys() == Keys{F, H});
        thread.leave(H, 0x7000);
    }
    SECTION("at the leave of its caller") {}
    SECTION("at the leave of a later call of it, whose enter had no hook") {
        SomeWindows::open();
        thread.leave(G, 0x8000);
        CHECK(thread.open_keys() == Keys{F});
    }
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(exclusive_of(thread, G) <= windows.closing_at - before);
    CHECK(exclusive_of(thread, F) >= passed);
    CHECK(thread.state().record->vanished == 0);
    thread.end_and_add_up();
}

TEST_CASE("a call whose enter had no hook leaves without a trace", "[budget]") {
    Recording recording;
    Thread thread;
    SomeWindows some;
    REQUIRE(add_windowed(G));
    thread.enter(F, 0x9000);
    SomeWindows::open();
    thread.leave(G, 0x8000);
    CHECK(thread.open_keys() == Keys{F});
    CHECK(thread.state().record->unmatched == 0);
    thread.leave(H, 0x8000); // of another function that is a loss
    CHECK(thread.state().record->unmatched == 1);
}

TEST_CASE("calls make no path while callers may be missing on the stack", "[budget]") {
    Recording recording;
    Thread thread;
    SomeWindows some;
    REQUIRE(add_windowed(G));
    thread.enter(F, 0x9000);
    SomeWindows::open();
    thread.enter(G, 0x8000);
    thread.leave(G, 0x8000);
    SomeWindows::close(thread.state());
    thread.enter(H, 0x8000);
    thread.enter(G, 0x7000); // it may have been called by a windowed function that H has called
    thread.leave(G, 0x7000);
    thread.leave(H, 0x8000);
    thread.enter(G, 0x8000); // this path is known
    thread.leave(G, 0x8000);
    CHECK(thread.calls(G) == 2);
    SomeWindows::open();
    thread.enter(H, 0x8000);
    thread.enter(G, 0x7000);
    CHECK(thread.open_keys() == Keys{F, H, G});
    CHECK(thread.calls(G) == 3);
}

// The lowest frame has no function: where it counted as stale, the hooks that are called to measure what hooks cost
// went on below it.
TEST_CASE("the key of no function is never windowed") {
    const SomeWindows windows;
    REQUIRE(add_windowed(F));
    CHECK(is_windowed(F));
    CHECK_FALSE(is_windowed(0));
    CHECK_FALSE(was_windowed(0));
}
