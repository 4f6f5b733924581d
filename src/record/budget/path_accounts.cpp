// SPDX-License-Identifier: BSD-3-Clause
#include "record/budget/path_accounts.hpp"

#include "base/clock.hpp"
#include "base/cpu_time.hpp"
#include "record/budget/windowed.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"
#include "record/timing/adaptive.hpp"
#include "record/timing/hook_costs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vftr::record {

namespace {

// A function whose calls are longer than so many times the cost of timing them, and which takes that part of the time
// of the program, is worth its hooks.
constexpr double LongCall = 200, LargePart = 0.005;
// Times what they cost in the measurement: in a window the processor has forgotten the recorder's data and branches. In
// programs with known numbers of calls it was 1.1 to 2.
constexpr double ColdHooks = 1.3;
constexpr std::size_t MostPaths = 4096; // per thread, so that reading them takes no longer than a window

// The thread writes these meanwhile, and does no extra work for its readers.
template <class Number>
__attribute__((no_sanitize("thread"))) Number now(const Number& number) {
    return *static_cast<const volatile Number*>(&number);
}

} // namespace

__attribute__((no_sanitize("thread"))) PathAccounts::Look PathAccounts::look_at(const vfd::Node& node) {
    const std::int32_t countdown = now(node.countdown);
    const std::uint64_t calls = now(node.calls), ahead = countdown > 0 ? static_cast<std::uint64_t>(countdown) : 0;
    return {calls > ahead ? static_cast<double>(calls - ahead) : 0, static_cast<double>(now(node.folded)),
            static_cast<double>(static_cast<std::int64_t>(now(node.exclusive))),
            (now(node.flags) & vfd::NodeTimingSampled) != 0};
}

double PathAccounts::hooks_between(const Look& before, const Look& after, double longness) {
    using Costs = vfd::HookCosts;
    const double folded = std::max(0.0, after.folded - before.folded),
                 others = std::max(0.0, after.calls - before.calls - folded);
    const double count_only = std::lerp(hook_cost(&Costs::count_only), hook_cost(&Costs::count_only_apart), longness);
    const double sampled = count_only + hook_cost(&Costs::timed_rare) / WindowStride;
    return folded * hook_cost(&Costs::folded) + others * (after.sampled ? sampled : hook_cost(&Costs::timed));
}

std::uint32_t PathAccounts::node_count(const Thread& thread) {
    return __atomic_load_n(&thread.state->record->node_count, __ATOMIC_ACQUIRE);
}

double PathAccounts::ns_per_tick() const {
    const vfd::ClockPair& start = recorder.writer.header().start;
    const base::Moment moment = base::read_moment();
    return static_cast<double>(moment.monotonic_ns - start.monotonic_ns) /
           std::max(1.0, static_cast<double>(moment.ticks - start.ticks));
}

void PathAccounts::find_threads() {
    const std::uint32_t count = recorder.thread_count.load(std::memory_order_acquire);
    for (std::uint32_t index = static_cast<std::uint32_t>(threads_.size()); index < count; ++index) {
        ThreadState* state = thread_of(index);
        if (!state)
            return;
        threads_.push_back(std::make_unique<Thread>());
        threads_.back()->state = state;
    }
}

void PathAccounts::read_clock(Thread& thread, bool excluded) {
    const std::uint32_t tid = now(thread.state->record->tid);
    if (tid != thread.tid) {
        thread.tid = tid;
        thread.clock = 0;
    }
    const double clock = now(thread.state->record->end) == 0 ? base::thread_cpu_ns(tid) : -1;
    if (clock <= thread.clock) // it has ended
        return;
    thread.cpu += clock - thread.clock;
    if (excluded)
        thread.inside += clock - thread.clock;
    thread.clock = clock;
}

void PathAccounts::read_clocks(bool excluded) {
    find_threads();
    for (const auto& thread : threads_)
        read_clock(*thread, excluded);
}

bool PathAccounts::calls_are_subscribed() const {
    return std::any_of(threads_.begin(), threads_.end(),
                       [](const auto& thread) { return (now(thread->state->stream) & StreamFunctions) != 0; });
}

std::vector<PathCost> PathAccounts::costs(double passed) {
    std::vector<PathCost> paths;
    const double ns = ns_per_tick(), long_call = LongCall * hook_cost(&vfd::HookCosts::timed);
    for (const auto& thread : threads_) {
        const auto first = static_cast<std::uint32_t>(paths.size());
        const std::uint32_t count = node_count(*thread);
        thread->judged.resize(count);
        thread->rates.resize(count);
        const double cpu = std::max(thread->cpu - std::exchange(thread->cpu_judged, thread->cpu), 1.0);
        double hooks = 0;
        for (std::uint32_t id = 0; id < count; ++id) {
            const vfd::Node& node = thread->state->nodes[id];
            const Look look = look_at(node), before = std::exchange(thread->judged[id], look);
            const double calls = look.calls - before.calls, own = look.exclusive - before.exclusive;
            PathCost& path = paths.emplace_back();
            const bool function = now(node.kind) == vfd::NodeKind::Function;
            path.function = function ? now(node.key) : 0;
            path.parent = id == 0 ? PathCost::NoParent : first + now(node.parent);
            path.active = calls > 0;
            path.cost = hooks_between(before, look, 1) * ns;
            hooks += path.cost;
            thread->rates[id] = static_cast<float>(calls);
            // The time of a windowed function may come later than the calls that took it.
            const bool is_long = !look.sampled && own > long_call * std::max(calls, 1.0) &&
                                 own * ns > LargePart * passed && !is_windowed(path.function);
            path.stays = !function || now(node.flags) & (vfd::NodePrecise | vfd::NodeTrigger) || is_long;
        }
        for (float& rate : thread->rates)
            rate /= static_cast<float>(cpu - std::min(hooks, MostHooks * cpu));
    }
    return paths;
}

void PathAccounts::add_path(Thread& thread, std::uint32_t node, double calls_at_begin, double rate_before) {
    const std::uint64_t function = now(thread.state->nodes[node].key);
    const auto begin = thread.begins.find(function);
    const vfd::UnseenCalls* before = thread.unseen.at({node}, thread.state->record->index);
    thread.path_of[node] = static_cast<std::uint32_t>(thread.paths.size());
    thread.paths.push_back({node,
                            function,
                            calls_at_begin,
                            rate_before,
                            begin == thread.begins.end() ? Begin{} : begin->second,
                            before ? before->calls : 0,
                            before ? before->error : 0,
                            {},
                            {},
                            {}});
}

void PathAccounts::find_paths(Thread& thread) {
    const std::uint32_t count = node_count(thread);
    thread.path_of.resize(count, NoPath);
    for (; thread.nodes_seen < count; ++thread.nodes_seen) {
        const vfd::Node& node = thread.state->nodes[thread.nodes_seen];
        if (now(node.kind) == vfd::NodeKind::Function && is_windowed(now(node.key)) && thread.paths.size() < MostPaths)
            add_path(thread, thread.nodes_seen, 0, 0);
    }
}

void PathAccounts::begin_accounts(const std::vector<std::uint64_t>& functions) {
    for (const auto& thread : threads_) {
        for (const std::uint64_t function : functions)
            thread->begins[function] = {thread->cpu, thread->inside, thread->times};
        const std::uint32_t count = node_count(*thread);
        thread->path_of.resize(count, NoPath);
        thread->nodes_seen = count;
        for (std::uint32_t id = 0; id < count && thread->paths.size() < MostPaths; ++id) {
            const vfd::Node& node = thread->state->nodes[id];
            if (now(node.kind) == vfd::NodeKind::Function && thread->path_of[id] == NoPath &&
                is_windowed(now(node.key)))
                add_path(*thread, id, look_at(node).calls, id < thread->rates.size() ? thread->rates[id] : 0);
        }
    }
}

void PathAccounts::end_account(std::uint64_t function) {
    for (const auto& thread : threads_) {
        std::erase_if(thread->paths, [&](const Path& path) { return path.function == function; });
        thread->begins.erase(function);
        std::fill(thread->path_of.begin(), thread->path_of.end(), NoPath);
        for (std::uint32_t i = 0; i < thread->paths.size(); ++i)
            thread->path_of[thread->paths[i].node] = i;
    }
}

void PathAccounts::take_looks(Thread& thread) {
    for (Path& path : thread.paths)
        path.latest = look_at(thread.state->nodes[path.node]);
}

// Where cores are shared, the watcher may have to wait for one between the two: a thread that goes on meanwhile has
// calls that belong to no time, or time without its calls, and that of one such window can be more than that of all
// others.
void PathAccounts::look_at_paths(Thread& thread, bool excluded) {
    constexpr double Together = 20'000; // ns; a fifth of a window
    constexpr int MostTries = 10;
    read_clock(thread, excluded);
    for (int tries = 0; tries < MostTries; ++tries) {
        const double cpu = thread.cpu;
        take_looks(thread);
        read_clock(thread, excluded);
        if (thread.cpu - cpu <= Together)
            return;
    }
}

void PathAccounts::open_window() {
    find_threads();
    for (const auto& thread : threads_) {
        find_paths(*thread);
        look_at_paths(*thread, false);
        thread->cpu_at_open = thread->cpu;
        thread->own_work_at_open = own_work(*thread);
        for (Path& path : thread->paths) {
            path.at_open = path.latest;
            if (path.begin.first_window == 0)
                path.begin.first_window = thread->cpu;
        }
    }
}

// What lies between two calls makes their hooks cost more, and so does a callee of a count-only call
// (analysis/recording/compensation.hpp has the numbers).
double PathAccounts::hooks_in_window(const Thread& thread, double ticks) {
    double all_calls = 0, hooks = 0;
    std::vector<double> calls(thread.paths.size()), below(thread.paths.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const Path& path = thread.paths[i];
        all_calls += calls[i] = path.latest.calls - path.at_open.calls;
        const std::uint32_t caller = thread.path_of[now(thread.state->nodes[path.node].parent)];
        if (caller != NoPath)
            below[caller] += calls[i];
    }
    const double between = ticks / std::max(all_calls, 1.0) / std::max(hook_cost(&vfd::HookCosts::inside), 1.0),
                 longness = std::clamp((between - 1.5) / 0.75, 0.0, 1.0);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const Path& path = thread.paths[i];
        hooks += hooks_between(path.at_open, path.latest, longness);
        if (path.latest.sampled)
            hooks += std::min(below[i], calls[i]) * hook_cost(&vfd::HookCosts::nesting);
    }
    return ColdHooks * hooks;
}

// What the thread has worked in its hooks besides calls, which it does where there are hooks: it measures their cost,
// and looks for requests.
double PathAccounts::own_work(const Thread& thread) {
    const vfd::ThreadRecord& record = *thread.state->record;
    return static_cast<double>(now(record.sampling) + now(record.one_time_work));
}

double PathAccounts::most_hooks_in_window(double passed) {
    const double ns = ns_per_tick();
    double most = 0;
    for (const auto& thread : threads_) {
        take_looks(*thread);
        most = std::max(most, hooks_in_window(*thread, passed / ns));
    }
    return most * ns;
}

double PathAccounts::close_window() {
    const double ns = ns_per_tick();
    double all = 0;
    for (const auto& thread : threads_) {
        find_paths(*thread);
        look_at_paths(*thread, true);
        const double whole = thread->cpu - thread->cpu_at_open;
        if (whole <= 0) // it has not run
            continue;
        const double others = (own_work(*thread) - thread->own_work_at_open) * ns,
                     hooks = hooks_in_window(*thread, (whole - others) / ns) * ns + others;
        thread->times.add(whole, std::min(hooks, whole));
        for (Path& path : thread->paths)
            path.in_windows.add(path.latest.calls - path.at_open.calls, thread->times.latest);
        all += hooks;
    }
    return all;
}

void PathAccounts::publish() {
    for (const auto& thread : threads_)
        for (const Path& path : thread->paths) {
            const double outside = thread->cpu - path.begin.cpu - (thread->inside - path.begin.inside);
            const double gap = (path.begin.first_window == 0 ? thread->cpu : path.begin.first_window) - path.begin.cpu;
            const CallsOutside estimate =
                calls_outside(thread->times.since(path.begin.times), path.in_windows, outside, path.rate_before, gap);
            const double seen_outside =
                look_at(thread->state->nodes[path.node]).calls - path.calls_at_begin - path.in_windows.calls;
            vfd::UnseenCalls* record = thread->unseen.at({path.node}, thread->state->record->index);
            if (!record)
                return;
            record->calls = path.published + std::max(0.0, estimate.calls - std::max(0.0, seen_outside));
            record->error = std::hypot(path.error_of_published, estimate.error);
        }
}

} // namespace vftr::record
