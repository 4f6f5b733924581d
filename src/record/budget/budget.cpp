// SPDX-License-Identifier: BSD-3-Clause
#include "record/budget/budget.hpp"

#include "base/clock.hpp"
#include "base/cpu_time.hpp"
#include "base/wiped_on_fork.hpp"
#include "record/budget/path_accounts.hpp"
#include "record/budget/selection.hpp"
#include "record/budget/window_rate.hpp"
#include "record/budget/windowed.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <random>
#include <unordered_set>
#include <utility>
#include <vector>

namespace vftr::record {

namespace {

constexpr double RestPart = 0.4, WindowPart = 0.5; // of the budget
// Times in ns.
constexpr double WindowNs = 100'000, ShortestWindow = 10'000; // without the cost of hooks
constexpr double HooksInWindow = 75'000, LongestWindow = 2'000'000;
constexpr double ShortestWait = 20'000, LongestWait = 20e6;
constexpr double LookInterval = 10e6, ShortestInterval = 2e6, LongestInterval = 100e6;
constexpr double JudgeInterval = 10e6, JudgePart = 100; // the latter: times what it takes
constexpr double PublishInterval = 250e6;
constexpr double Forever = 1e18;
// Before a window counts: by then the short functions that were running have returned, and the processor has fetched
// the changed text.
constexpr double SettlingNs = 20'000;
// Windows that are opened at once when functions have become windowed, on account of later ones.
constexpr unsigned FirstWindows = 8;
constexpr std::uint64_t LongestEnd = 1'000'000'000;

using Life = OwnThread::Life;
base::WipedOnFork<OwnThread> thread;

class Watcher {
public:
    explicit Watcher(Watcher* parents) : of_parent(parents) {}

    Watcher* const of_parent; // in a forked child, that of its parent: it may have been in use at the fork

    void run() {
        published_at_ = base::process_cpu_ns();
        take_budget(recorder.timing.budget.load());
        while (works() && !gives_up_) {
            thread->wait_for_call(thread->calls.load(), static_cast<std::uint64_t>(interval_));
            if (works() && recorder.phase.load() == Phase::Running)
                step();
        }
        accounts_.read_clocks(false);
        accounts_.publish();
    }
    // All functions are recorded again.
    void put_everything_back() {
        if (!functions_.empty())
            recorder.settings.switch_hook_calls(functions_, true);
    }

private:
    static bool works() { return thread->life.load() == Life::Works; }

    // The account begins anew.
    void take_budget(double budget) {
        if (budget == 0)
            put_back(std::vector(functions_));
        budget_ = budget;
        began_at_ = judged_at_ = base::process_cpu_ns();
        one_time_ = base::thread_cpu_ns();
        hooks_in_windows_ = judge_after_ = 0;
        interval_ = budget == 0 ? Forever : LookInterval;
    }

    void step() {
        if (const double budget = recorder.timing.budget.load(); budget != budget_)
            take_budget(budget);
        if (budget_ == 0)
            return;
        const bool paused = recorder.paused.load(std::memory_order_relaxed);
        accounts_.read_clocks(paused || was_paused_);
        was_paused_ = paused;
        if (paused)
            return;
        const double now = base::process_cpu_ns();
        if (now >= judge_after_)
            judge(now);
        if (!functions_.empty() && (first_windows_ != 0 || spent() + window_cost_ <= allowed(now))) {
            first_windows_ -= first_windows_ != 0;
            window();
        }
        if (now >= published_at_ + PublishInterval) {
            accounts_.publish();
            published_at_ = now;
        }
        set_interval();
    }

    double spent() const { return base::thread_cpu_ns() - one_time_ + hooks_in_windows_; }
    double allowed(double cpu) const { return WindowPart * budget_ * (cpu - began_at_); }

    void judge(double now) {
        const double begin = base::thread_cpu_ns(), passed = now - judged_at_;
        judged_at_ = now;
        if (!accounts_.calls_are_subscribed()) {
            const std::vector<PathCost> paths = accounts_.costs(passed);
            Selection selection = select_windowed(paths, RestPart * budget_ * passed,
                                                  [](std::uint64_t function) { return is_windowed(function); });
            judge_after_ = now + std::max(JudgeInterval, JudgePart * (base::thread_cpu_ns() - begin));
            release(selection.released);
            choose(selection.chosen);
        } else {
            release(std::vector(functions_));
        }
    }

    void choose(const std::vector<std::uint64_t>& functions) {
        std::vector<std::uint64_t> added;
        for (const std::uint64_t function : functions)
            if (!released_.contains(function) && add_windowed(function))
                added.push_back(function);
        if (added.empty())
            return;
        const double begin = base::thread_cpu_ns();
        const bool out = recorder.settings.take_hook_calls_out(added);
        one_time_ += base::thread_cpu_ns() - begin;
        if (!out) {
            gives_up_ = true;
            forget_windows();
            return;
        }
        functions_.insert(functions_.end(), added.begin(), added.end());
        mark_closed(base::read_ticks());
        accounts_.read_clocks(false);
        accounts_.begin_accounts(added);
        first_windows_ = FirstWindows;
    }

    void release(const std::vector<std::uint64_t>& functions) {
        released_.insert(functions.begin(), functions.end());
        put_back(functions);
    }

    // How long the program has run since then.
    class RunTime {
    public:
        double passed() const {
            return std::min(static_cast<double>(base::monotonic_ns() - begin_), others_cpu() - cpu_at_begin_);
        }

    private:
        static double others_cpu() { return base::process_cpu_ns() - base::thread_cpu_ns(); }

        std::uint64_t begin_ = base::monotonic_ns();
        double cpu_at_begin_ = others_cpu();
    };
    // Looks from time to time, at first after `wait`, until has_passed(how long the program has run) is true.
    // Returns how long that is.
    template <class HasPassed>
    static double wait_for_program(double wait, HasPassed has_passed) {
        const RunTime time;
        double passed = 0;
        for (;;) {
            thread->wait_for_call(thread->calls.load(), static_cast<std::uint64_t>(wait));
            const double before = std::exchange(passed, time.passed());
            if (!works() || has_passed(passed))
                return passed;
            wait = passed - before > ShortestWait / 2 ? ShortestWait : std::min(2 * wait, LongestWait);
        }
    }

    // Until short functions have returned that were entered without a hook.
    static void switch_in(const std::vector<std::uint64_t>& functions) {
        windows.open.store(true, std::memory_order_relaxed);
        recorder.settings.switch_hook_calls(functions, true);
        wait_for_program(SettlingNs, [](double passed) { return passed >= SettlingNs; });
    }

    // These functions are recorded as any other again.
    void put_back(const std::vector<std::uint64_t>& functions) {
        if (functions.empty())
            return;
        accounts_.publish();
        switch_in(functions);
        for (const std::uint64_t function : functions) {
            remove_windowed(function);
            accounts_.end_account(function);
            std::erase(functions_, function);
        }
        windows.open.store(false, std::memory_order_relaxed);
    }

    static void mark_closed(std::uint64_t closing_at) {
        windows.new_paths_from.store(~std::uint64_t{0}, std::memory_order_relaxed);
        windows.open.store(false, std::memory_order_relaxed);
        windows.closing_at.store(closing_at, std::memory_order_relaxed);
        windows.closed_at.store(base::read_ticks(), std::memory_order_release);
        request_slow_path_of_all();
    }

    void window() {
        const double begin = base::thread_cpu_ns(), hooks_before = hooks_in_windows_;
        switch_in(functions_);
        windows.new_paths_from.store(base::read_ticks(), std::memory_order_relaxed);
        accounts_.open_window();
        const double passed = wait_for_program(expected_, [this](double ran) {
            return ran >= LongestWindow ||
                   ran - std::min(accounts_.most_hooks_in_window(ran), MostHooks * ran) >= window_;
        });
        expected_ += (passed - expected_) / 8;
        hooks_in_windows_ += accounts_.close_window();
        const std::uint64_t closing_at = base::read_ticks();
        windows.new_paths_from.store(~std::uint64_t{0}, std::memory_order_relaxed);
        recorder.settings.switch_hook_calls(functions_, false);
        mark_closed(closing_at);
        const double hooks = hooks_in_windows_ - hooks_before;
        window_cost_ = base::thread_cpu_ns() - begin + hooks;
        window_ = std::clamp(window_ * (hooks > HooksInWindow ? 0.8 : 1.25), ShortestWindow, WindowNs);
    }

    // Until the next window can be paid for, by the CPU time that one processor gives.
    void set_interval() {
        if (functions_.empty()) {
            interval_ = LookInterval;
            return;
        }
        if (first_windows_ != 0) {
            interval_ = ShortestInterval;
            return;
        }
        const double lacks = spent() + window_cost_ - allowed(base::process_cpu_ns()), share = WindowPart * budget_;
        const double wait = std::clamp(lacks / share, ShortestInterval, LongestInterval);
        interval_ = wait * std::uniform_real_distribution(0.5, 1.5)(random_);
    }

    PathAccounts accounts_;
    std::vector<std::uint64_t> functions_;       // that are windowed
    std::unordered_set<std::uint64_t> released_; // that were windowed and must not be again
    std::minstd_rand random_{static_cast<unsigned>(base::read_ticks())};
    unsigned first_windows_ = 0;
    bool was_paused_ = false, gives_up_ = false;
    double budget_ = 0;
    double began_at_ = 0, judged_at_ = 0, judge_after_ = 0, published_at_ = 0; // CPU time of the process
    double one_time_ = 0;                           // CPU time of the watcher that is not in the account
    double hooks_in_windows_ = 0, window_cost_ = 0; // the latter: of the latest window
    double interval_ = LookInterval, window_ = WindowNs;
    double expected_ = WindowNs; // how long windows last with the cost of hooks; each look at one disturbs it
};

Watcher* watcher = nullptr;

void* run(void*) {
    OwnThread::has_begun();
    try {
        watcher->run();
    } catch (const std::exception&) { // no memory
        watcher->put_everything_back();
    }
    thread->life = Life::Gone;
    return nullptr;
}

} // namespace

bool keep_budget(CreateThread* create) {
    if (thread && thread->life.load() == Life::Works) {
        thread->call();
        return true;
    }
    forget_windows();
    if (recorder.timing.budget.load() == 0)
        return true;
    watcher = new Watcher(watcher);
    return thread.make() && thread->begin(create, run);
}

void end_budget() {
    if (thread)
        thread->end(LongestEnd);
}

} // namespace vftr::record
