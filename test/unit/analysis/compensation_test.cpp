// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: the cost of the hooks is subtracted where it fell, from the exclusive time of the caller and the inclusive
// time of all ancestors. Issue: inclusive and exclusive times of all ancestors stay consistent.
#include "one_thread.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <limits>
#include <map>
#include <numeric>

using namespace vftr;
using namespace vftr::analysis;
using vftr::test::ImageBuilder;
using vftr::test::Recording;
using vftr::test::timed_costs;
using vftr::test::TimesByColumn;

namespace {

using Ticks = std::vector<std::uint64_t>;

std::uint64_t sum(const Ticks& values) { return std::accumulate(values.begin(), values.end(), std::uint64_t{0}); }

// A program whose true times are known, and the recorder at work in it: hooks take time, and of some paths one call of
// a few is timed.
class Program {
public:
    explicit Program(const vfd::HookCosts& costs) { recording.costs = costs; }

    void work(std::uint64_t ticks) {
        now_ += ticks;
        truth[at()] += ticks;
    }
    // one_of: how many calls one timed one stands for; 1: all are timed.
    template <class Body>
    void call(std::uint32_t path, std::uint64_t one_of, Body body) {
        if (!stack_.empty() && stack_.back().count_only && !stack_.back().nested) {
            stack_.back().nested = true;
            hooks(recording.costs.nesting);
        }
        vfd::Node& node = recording.nodes[path];
        const bool timed = ++node.calls % one_of == 0;
        const double outside = timed ? recording.costs.timed - recording.costs.inside : recording.costs.count_only;
        const double inside = timed ? recording.costs.inside : 0;
        hooks(outside / 2);
        stack_.push_back({path, now_, 0, !timed, false});
        hooks(inside / 2);
        body();
        hooks(inside / 2);
        const Frame left = stack_.back();
        stack_.pop_back();
        const std::uint64_t duration = now_ - left.enter;
        Frame& caller = timed_frame();
        if (timed) {
            node.exclusive += duration - left.child;
            node.inclusive += duration;
            caller.child += duration;
            if (one_of > 1)
                stand_for(path, one_of - 1, duration - left.child);
        } else
            recording.nodes[path].countdown = 0;
        hooks(outside / 2);
    }
    // The thread's end.
    void end() {
        recording.nodes[0].exclusive = now_ - root_.child;
        recording.nodes[0].inclusive = now_;
        for (auto& [path, estimate] : estimates_)
            recording.estimates.push_back(estimate);
    }
    std::uint64_t true_total() const { return now_ - static_cast<std::uint64_t>(spent_); }

    Recording recording;
    std::map<std::uint32_t, std::uint64_t> truth; // exclusive

private:
    struct Frame {
        std::uint32_t path;
        std::uint64_t enter, child;
        bool count_only, nested;
    };
    std::uint32_t at() const { return stack_.empty() ? 0 : stack_.back().path; }
    void hooks(double ticks) {
        now_ += static_cast<std::uint64_t>(ticks);
        spent_ += ticks;
    }
    Frame& timed_frame() {
        for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame)
            if (!frame->count_only)
                return *frame;
        return root_;
    }
    void stand_for(std::uint32_t path, std::uint64_t calls, std::uint64_t own) {
        vfd::Estimate& estimate = estimates_[path];
        estimate.node = path;
        estimate.count_only_calls += calls;
        estimate.weight += calls;
        estimate.own += static_cast<double>(calls * own);
    }

    std::vector<Frame> stack_;
    Frame root_{};
    std::map<std::uint32_t, vfd::Estimate> estimates_;
    std::uint64_t now_ = 0;
    double spent_ = 0;
};

} // namespace

TEST_CASE("without known costs and estimates times are what was measured") {
    Recording r;
    const std::uint32_t main = r.add(0, 1, 30, 100);
    r.add(main, 5, 70, 70);
    r.nodes[0].inclusive = 100;
    const TimesByColumn t = r.times();
    CHECK(t.exclusive == Ticks{0, 30, 70});
    CHECK(t.inclusive == Ticks{100, 100, 70});
    CHECK(t.raw_exclusive == t.exclusive);
    CHECK(t.raw_inclusive == t.inclusive);
    CHECK(t.variance.empty());
    CHECK(t.life == 100);
}

TEST_CASE("the cost of the hooks leaves the time of the caller and of all that called it") {
    Recording r;
    r.costs = timed_costs(10, 4);
    const std::uint32_t main = r.add(0, 1, 2000, 3000);
    r.add(main, 100, 1000, 1000);
    r.nodes[0].exclusive = 50;
    r.nodes[0].inclusive = 3050;
    const TimesByColumn t = r.times();
    CHECK(t.exclusive == Ticks{50 - 6, 2000 - 600 - 4, 1000 - 400});
    CHECK(t.inclusive == Ticks{3050 - 1010, 3000 - 1000 - 4, 600});
    CHECK(t.raw_exclusive == Ticks{50, 2000, 1000});
    CHECK(t.raw_inclusive == Ticks{3050, 3000, 1000});
    CHECK(t.overhead == std::vector<double>{0, 10, 1000});
    CHECK(sum(t.exclusive) == sum(t.raw_exclusive) - 1010);
    CHECK(t.life == 3050);
}

TEST_CASE("what was spent to find out what hooks cost is taken off the root's own time") {
    Recording recording;
    recording.nodes[0].exclusive = 100;
    recording.nodes[0].inclusive = 1100;
    recording.add(0, 1, 1000, 1000);
    recording.record.sampling = 30;
    const TimesByColumn times = recording.times();
    CHECK(times.exclusive == Ticks{70, 1000});
    CHECK(times.inclusive == Ticks{1070, 1000});
    CHECK(times.raw_exclusive == Ticks{100, 1000});
    CHECK(times.overhead[0] == 30);

    recording.record.sampling = 3000; // a damaged file
    CHECK(recording.times().exclusive == Ticks{0, 1000});
}

TEST_CASE("direct recursion costs the function itself") {
    Recording r;
    r.costs = timed_costs(10, 0);
    r.costs.folded = 2;
    r.add(0, 100, 1000, 1000);
    r.nodes[1].folded = 90;
    r.nodes[0].exclusive = 500;
    CHECK(r.times().exclusive == Ticks{500 - 100, 1000 - 180});
    CHECK(r.times().overhead[1] == 100 + 180);
}

TEST_CASE("a function that does nothing has no time, and its caller bears the rest") {
    Recording r;
    r.costs = timed_costs(10, 4);
    const std::uint32_t main = r.add(0, 1, 2000, 2300);
    r.add(main, 100, 300, 300); // 400 would be the hooks'
    const TimesByColumn t = r.times();
    CHECK(t.exclusive == Ticks{0, 2000 - 4 - 600 - 100, 0});
    CHECK(t.inclusive[2] == 0);
    CHECK(t.inclusive[main] == 2300 - 1000 - 4);
}

TEST_CASE("where hooks cannot have cost as much as that each path bears its part of what there was") {
    Recording r;
    r.costs = timed_costs(10, 0);
    const std::uint32_t main = r.add(0, 1, 310, 510);
    r.add(main, 75, 150, 150);
    r.add(main, 25, 50, 50);
    const TimesByColumn t = r.times();
    CHECK(t.exclusive == Ticks{0, 0, 150, 50});
    CHECK(t.overhead[2] == Approx(232.5));
    CHECK(t.overhead[3] == Approx(77.5));
    CHECK(t.inclusive[main] == 200);
    CHECK(sum(t.raw_exclusive) == t.life);
}

TEST_CASE("count-only calls cannot have taken more than their caller") {
    Recording r;
    r.costs.count_only = r.costs.count_only_apart = 4;
    r.costs.inside_rare = 5;
    const std::uint32_t main = r.add(0, 1, 450, 500), leaf = r.add(main, 100, 50, 50);
    // 6 ticks each without the hooks: 90 * (6 + 4) were twice as long
    vfd::Estimate& e = r.estimate(leaf, 90, 45, 45 * 11);
    e.variance = 100;
    r.nodes[0].inclusive = 500;
    const TimesByColumn t = r.times();
    CHECK(t.exclusive == Ticks{0, 0, 50 + 270});
    CHECK(t.overhead[leaf] == Approx(180));
    CHECK(t.raw_exclusive == Ticks{0, 450 - 270, 50 + 270});
    CHECK(t.inclusive == Ticks{320, 320, 320});
    CHECK(t.variance[leaf] == Approx(400 * 0.25));
}

TEST_CASE("of calls that take longer than reading the clock the hooks cost less, in between in proportion") {
    for (const auto& [own, inside, all] : {std::array{25, 20, 40},
                                           {30, 20, 40},
                                           {45, 4, 33},
                                           {100, 4, 33},
                                           {38, 11, 36}}) { // of 1.5 to 2.25 times 20, half of 14
        Recording r;
        r.costs = timed_costs(40, 20);
        r.costs.timed_long = 26;
        r.costs.inside_long = 4;
        const std::uint32_t main = r.add(0, 1, 2'000'000, 2'000'000),
                            f = r.add(main, 100'000, 100'000 * static_cast<std::uint64_t>(own), 0);
        r.nodes[main].exclusive = 100'000 * 30; // hardly anything between the calls
        const TimesByColumn t = r.times();
        INFO(own << " ticks");
        CHECK(static_cast<double>(t.exclusive[f]) / 100'000 == Approx(own - inside).margin(0.6));
        CHECK(t.overhead[f] / 100'000 == Approx(all).margin(0.6));
    }
}

TEST_CASE("where much lies between the calls of a function their hooks cost less, too") {
    Recording r;
    r.costs = timed_costs(40, 20);
    r.costs.timed_long = 26;
    r.costs.inside_long = 4;
    const std::uint32_t main = r.add(0, 1, 100'000, 125'000), tiny = r.add(main, 1000, 25'000, 25'000);
    const TimesByColumn t = r.times();
    CHECK(t.exclusive[tiny] == 25'000 - 20'000);
    CHECK(t.overhead[tiny] == Approx(33'000));
}

TEST_CASE("count-only calls cost less where one comes after the other") {
    for (const auto& [between, cost] : {std::pair{10, 8}, {30, 8}, {45, 14}, {1000, 14}}) {
        Recording r;
        r.costs = timed_costs(40, 20);
        r.costs.count_only = 8;
        r.costs.count_only_apart = 14;
        const std::uint32_t main = r.add(0, 1, 0, 0), leaf = r.add(main, 10'000, 0, 0);
        r.nodes[main].exclusive = 10'000 * static_cast<std::uint64_t>(between);
        r.estimate(leaf, 10'000, 0, 0);
        INFO(between << " ticks from one to the next");
        CHECK(r.times().overhead[leaf] == Approx(10'000 * cost).epsilon(0.01));
    }
}

TEST_CASE("a timed call among count-only ones has a cost of its own") {
    Recording r;
    r.costs = timed_costs(40, 20);
    r.costs.timed_rare = 70;
    r.costs.inside_rare = 22;
    const std::uint32_t main = r.add(0, 1, 100'000, 100'000), leaf = r.add(main, 1000, 100 * 24, 100 * 24);
    vfd::Estimate& e = r.estimate(leaf, 900, 900, 900 * 24);
    e.timed = 60; // 40 before
    CHECK(r.times().overhead[leaf] == Approx(60 * 70 + 40 * 40));
    CHECK(r.times().exclusive[leaf] == 100 * 24 - 60 * 22 - 40 * 20 + 900 * 2);
}

TEST_CASE("where recursion is folded onto paths further out inclusive times lose in proportion") {
    Recording r;
    r.costs = timed_costs(1, 1);
    const std::uint32_t f = r.add(0, 100, 1000, 2000), g = r.add(f, 500, 1000, 1800); // 800 of g's are in f again
    const TimesByColumn t = r.times();
    CHECK(t.inclusive[f] == 2000 - 600);
    CHECK(t.inclusive[g] == 1800 - 900);
}

TEST_CASE("an estimate moves time from the caller, and inclusive times are sums") {
    Recording r;
    const std::uint32_t main = r.add(0, 1, 1000, 1100), leaf = r.add(main, 100, 50, 50);
    const std::uint32_t below = r.add(leaf, 40, 50, 50);
    vfd::Estimate& e = r.estimate(leaf, 90, 45, 225);
    e.variance = 9;
    r.nodes[0].inclusive = 1100;
    const TimesByColumn t = r.times();
    CHECK(t.exclusive == Ticks{0, 1000 - 450, 50 + 450, 50});
    CHECK(t.inclusive == Ticks{1100, 1100, 550, 50});
    CHECK(t.raw_inclusive == t.inclusive);
    CHECK(t.count_only == Ticks{0, 0, 90, 0});
    CHECK(t.variance == std::vector<double>{0, 36, 36, 0});
    CHECK(t.exclusive[below] == 50);
}

TEST_CASE("count-only calls that were not made yet count for nothing") {
    Recording r;
    const std::uint32_t leaf = r.add(0, 100, 10, 10); // 30 of them are ahead
    r.nodes[leaf].countdown = 30;
    r.nodes[0].exclusive = 1000;
    r.estimate(leaf, 90, 60, 120);
    CHECK(r.times().exclusive == Ticks{1000 - 120, 130});
    CHECK(r.times().count_only[leaf] == 60);
    r.nodes[leaf].countdown = vfd::CountdownUnrecorded;
    r.nodes[leaf].calls = 70;
    CHECK(r.times().count_only[leaf] == 70);
}

TEST_CASE("a path of which no call was timed since leaves its time with the caller") {
    Recording r;
    const std::uint32_t leaf = r.add(0, 100, 10, 10);
    r.nodes[0].exclusive = 1000;
    r.estimate(leaf, 90, 0, 0);
    CHECK(r.times().exclusive == Ticks{1000, 10});
    CHECK(r.times().count_only[leaf] == 90);
}

TEST_CASE("an exclusive time below zero becomes whole by what is moved to it") {
    Recording r;
    const std::uint32_t leaf = r.add(0, 100, 10, 10), below = r.add(leaf, 10, 20, 20);
    r.nodes[0].exclusive = 100;
    r.nodes[leaf].exclusive = static_cast<std::uint64_t>(-5);
    r.estimate(leaf, 10, 10, 25);
    const TimesByColumn t = r.times();
    CHECK(t.exclusive == Ticks{75, 20, 20});
    CHECK(t.inclusive[leaf] == 40);
    CHECK(t.exclusive[below] == 20);
    CHECK(sum(t.exclusive) == t.life);
}

TEST_CASE("a time below zero of which nobody wants anything leaves the others as they are") {
    Recording r;
    const std::uint32_t main = r.add(0, 1, static_cast<std::uint64_t>(-5), 15), leaf = r.add(main, 10, 20, 20);
    r.nodes[0].inclusive = 15;
    const TimesByColumn t = r.times();
    CHECK(t.exclusive == Ticks{0, 0, 20});
    CHECK(t.inclusive[leaf] == 20);
    CHECK(t.overhead == std::vector<double>{0, 0, 0});
}

TEST_CASE("of a program whose true times are known just these are shown, whatever is timed of it") {
    vfd::HookCosts costs = timed_costs(40, 16);
    costs.count_only = costs.count_only_apart = 8;
    costs.nesting = 6;
    // Of calls within calls the numbers have no common divisor: each kind of call then has timed and count-only calls
    // within in proportion.
    constexpr std::uint64_t Rounds = 3000;
    for (const auto& gaps : {std::pair{1, 1}, {2, 3}, {5, 3}}) {
        const int one_of = gaps.first,
                  one_of_within = gaps.second; // no bindings: clang 14 does not let a lambda have them
        INFO("one call of " << one_of << " is timed, within one of " << one_of_within);
        Program p(costs);
        const std::uint32_t main = p.recording.add(0, 0, 0, 0), tiny = p.recording.add(main, 0, 0, 0),
                            node = p.recording.add(main, 0, 0, 0);
        const std::uint32_t leaf = p.recording.add(node, 0, 0, 0), slow = p.recording.add(node, 0, 0, 0);
        p.call(main, 1, [&] {
            for (int i = 0; i < int{Rounds}; ++i) {
                p.work(7);
                p.call(tiny, static_cast<std::uint64_t>(one_of), [&] { p.work(3); });
                p.call(node, static_cast<std::uint64_t>(one_of), [&] {
                    p.work(11);
                    p.call(leaf, static_cast<std::uint64_t>(one_of_within), [&] { p.work(2); });
                    p.call(slow, 1, [&] { p.work(500); });
                });
            }
        });
        p.end();
        const TimesByColumn t = p.recording.times();
        for (const auto& [path, ticks] : p.truth)
            CHECK(t.exclusive[path] == ticks);
        CHECK(t.inclusive[node] == Rounds * (11 + 2 + 500));
        CHECK(t.inclusive[main] == Rounds * (7 + 3 + 11 + 2 + 500));
        CHECK(sum(t.exclusive) == p.true_total());
        CHECK(sum(t.raw_exclusive) == t.life);
    }
}

TEST_CASE("whatever a damaged file says, times are numbers") {
    constexpr double Huge = std::numeric_limits<double>::max();
    constexpr std::uint64_t Most = ~std::uint64_t{0};
    for (double cost : {0.0, 1.0, Huge})
        for (std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, Most / 2 + 1, Most}) {
            Recording r;
            r.costs = {cost, Huge, cost, Huge, cost, cost, cost, cost, cost, Huge, 0};
            const std::uint32_t main = r.add(0, Most, count, Most), leaf = r.add(main, count, Most, count);
            r.add(leaf, Most, count, count);
            r.nodes[main].folded = count;
            r.estimate(main, count, 1, Huge).variance = Huge;
            r.estimate(leaf, Most, Most, count & 1 ? -Huge : Huge).variance = count ? Huge : -Huge;
            r.nodes[leaf].countdown = 0x7fffffff;
            const TimesByColumn t = r.times();
            for (const Ticks* times : {&t.exclusive, &t.inclusive, &t.raw_exclusive, &t.raw_inclusive})
                for (std::uint64_t ticks : *times)
                    CHECK(ticks <= Most / 2);
        }
}
