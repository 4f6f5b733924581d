// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/sampled_times.hpp"

#include "analysis/profile/whole_ns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vftr::analysis {
namespace {

constexpr double PullBySamples = 0.5; // p σ
constexpr double UsualInKernel = 0.3; // 1 / (p R)
// The standard deviation of the model's cost of a function's hooks, in parts of it.
constexpr double ModelError = 0.5;
constexpr double Confidence95 = 1.96; // standard deviations of a normal distribution

double square(double number) { return number * number; }

// What is known of the hooks' part H of one function, and which H a multiplier leads to.
struct HooksOf {
    double raw, model, model_variance, most, most_variance, pull;

    HooksOf(const FunctionTime& function, double scale, double least_pull)
        : raw(function.raw), model(function.hooks * scale),
          model_variance(std::max(square(ModelError * std::max(function.hooks, function.own_hooks) * scale),
                                  square(function.unknown / Confidence95)) +
                         1),
          most(function.raw - function.sampled), most_variance(std::max(function.variance, 1.0)),
          pull(least_pull > 0 ? std::max(least_pull, 1 / (UsualInKernel * std::max(raw, 1.0))) : 0) {}

    double at(double multiplier) const {
        double hooks = (model / model_variance + most / most_variance + multiplier) * variance_of_both();
        if (is_in_kernel(hooks))
            hooks = model + (multiplier + pull) * model_variance;
        return std::clamp(hooks, std::min(0.0, most), std::max(raw, most));
    }
    // Without the constraint.
    double variance(double hooks) const { return is_in_kernel(hooks) ? model_variance : variance_of_both(); }

private:
    double variance_of_both() const { return 1 / (1 / model_variance + 1 / most_variance); }
    // Whether what the samples lack is more than their scatter.
    bool is_in_kernel(double hooks) const { return hooks < most - pull * most_variance; }
};

class Balance {
public:
    Balance(const std::vector<HooksOf>& functions, const AllHooks& all)
        : functions_(functions), all_hooks_(all.time), variance_(std::max(all.variance, 1.0)), multiplier_(solution()) {
    }

    double hooks(const HooksOf& function) const { return function.at(multiplier_); }
    double variance(const HooksOf& function) const { return function.variance(hooks(function)); }

private:
    // Grows with the multiplier: the sum of H, and by how much the samples in vftrace are taken to be wrong.
    double sum(double multiplier) const {
        double sum = multiplier * variance_;
        for (const HooksOf& function : functions_)
            sum += function.at(multiplier);
        return sum;
    }
    double solution() const {
        constexpr int MostDoublings = 200, Halvings = 200;
        double low = -1, high = 1;
        for (int i = 0; i < MostDoublings && sum(low) > all_hooks_; ++i)
            low *= 2;
        for (int i = 0; i < MostDoublings && sum(high) < all_hooks_; ++i)
            high *= 2;
        for (int i = 0; i < Halvings; ++i) {
            const double middle = low + (high - low) / 2;
            (sum(middle) < all_hooks_ ? low : high) = middle;
        }
        return low + (high - low) / 2;
    }

    const std::vector<HooksOf>& functions_;
    double all_hooks_, variance_, multiplier_;
};

std::vector<HooksOf> scaled(std::span<const FunctionTime> functions, double scale, double least_pull) {
    std::vector<HooksOf> hooks;
    hooks.reserve(functions.size());
    for (const FunctionTime& function : functions)
        hooks.emplace_back(function, scale, least_pull);
    return hooks;
}

// The scale with which the model's costs, as far as the functions have room for them, add up to `all_hooks`.
double scale_of_model(std::span<const FunctionTime> functions, double all_hooks) {
    constexpr double Widest = 3; // of that which takes no account of the room
    constexpr int Halvings = 50;
    double modelled = 0;
    for (const FunctionTime& function : functions)
        modelled += function.hooks;
    if (modelled <= 0)
        return 0;
    double low = all_hooks / modelled / Widest, high = all_hooks / modelled * Widest;
    for (int i = 0; i < Halvings; ++i) {
        const double middle = low + (high - low) / 2;
        double sum = 0;
        for (const HooksOf& function : scaled(functions, middle, 0))
            sum += function.at(0);
        (sum < all_hooks ? low : high) = middle;
    }
    return low + (high - low) / 2;
}

double as_ticks(std::uint64_t ticks) { return static_cast<double>(ticks); }
std::uint64_t whole(double ticks) { return ticks > 0 ? rounded(std::min(ticks, 9e18)) : 0; }

// The exclusive time of a path of a function: in the proportion of the model's where the function has less than by the
// model, else with less of the model's cost.
double own_time(const NodeTimes& node, double raw, double before, double now) {
    const double own = as_ticks(node.exclusive), own_raw = as_ticks(node.raw_exclusive);
    if (now <= before)
        return before > 0 ? own * (now / before) : 0;
    if (now <= raw)
        return own + (own_raw - own) * ((now - before) / (raw - before));
    return raw > 0 ? own_raw * (now / raw) : now;
}

} // namespace

bool hooks_do_not_matter(const FunctionTime& function) {
    constexpr double Little = 0.01;
    return std::max(function.hooks, function.own_hooks) < Little * function.raw;
}

AllHooks hooks_by_samples(std::uint64_t in_hooks, std::uint64_t all, double ticks_of_sample) {
    constexpr double InKernel = 0.01; // of the time of hooks
    const double hooks = as_ticks(in_hooks), others = as_ticks(all - in_hooks), time = hooks * ticks_of_sample,
                 scatter = std::sqrt(1 + hooks * others / std::max(1.0, hooks + others)) * ticks_of_sample;
    return {time, square(scatter) + square(InKernel * time), scatter};
}

std::vector<JoinedTime> join(std::span<const FunctionTime> functions, const AllHooks& all) {
    const double least_pull = all.scatter > 0 ? PullBySamples / all.scatter : 0;
    const std::vector<HooksOf> hooks = scaled(functions, scale_of_model(functions, all.time), least_pull);
    const Balance balance(hooks, all);
    double all_variance = all.variance;
    for (const HooksOf& function : hooks)
        all_variance += balance.variance(function);
    std::vector<JoinedTime> joined;
    joined.reserve(functions.size());
    for (const HooksOf& function : hooks) {
        const double taken = balance.hooks(function), free = balance.variance(function), share = free / all_variance;
        joined.push_back({std::max(0.0, function.raw - taken), Confidence95 * std::sqrt(free * (1 - share))});
    }
    return joined;
}

FunctionTimes function_times(const vfd::ThreadView& thread, std::size_t functions,
                             std::span<const std::uint32_t> function_of, const ThreadTimes& times) {
    FunctionTimes result{std::vector<FunctionTime>(functions), std::vector<double>(functions)};
    result.of[function_of[0]].raw -= as_ticks(thread.record->sampling); // in which nothing was called
    for (std::size_t id = 0; id < times.of.size(); ++id) {
        const NodeTimes& node = times.of[id];
        FunctionTime& function = result.of[function_of[id]];
        function.raw += as_ticks(node.raw_exclusive);
        function.own_hooks += node.overhead;
        function.unknown += times.unknown[id];
        result.by_model[function_of[id]] += as_ticks(node.exclusive);
    }
    for (std::size_t i = 0; i < functions; ++i)
        result.of[i].hooks = std::max(0.0, result.of[i].raw - result.by_model[i]);
    return result;
}

void set_times(const vfd::ThreadView& thread, std::span<const std::uint32_t> function_of,
               const FunctionTimes& functions, std::span<const JoinedTime> joined, ThreadTimes& times) {
    const double modelled = overhead_of(times);
    double taken = 0; // all H
    for (std::size_t i = 0; i < joined.size(); ++i)
        taken += functions.of[i].raw - joined[i].exclusive;
    const double scale = modelled > 0 ? std::max(0.0, taken) / modelled : 0;
    std::vector<double> more(times.of.size()); // of the inclusive time
    for (std::size_t id = times.of.size(); id-- > 0;) {
        NodeTimes& node = times.of[id];
        const std::size_t function = function_of[id];
        const JoinedTime& now = joined[function];
        const double own = own_time(node, functions.of[function].raw, functions.by_model[function], now.exclusive);
        more[id] += own - as_ticks(node.exclusive);
        node.exclusive = whole(own);
        node.inclusive = whole(as_ticks(node.inclusive) + more[id]);
        node.overhead *= scale;
        times.unknown[id] = now.exclusive > 0 ? now.error * (own / now.exclusive) : now.error;
        if (!times.variance.empty())
            times.variance[id] = 0; // is a part of that
        if (id != 0)
            more[thread.node(static_cast<std::uint32_t>(id)).parent] += more[id];
    }
}

void share_lost_time(std::span<const FunctionTime> functions, FunctionSamples& samples) {
    constexpr double Most = 0.1; // of the time
    const double seen = as_ticks(samples.all) * samples.ticks;
    double lost = samples.cpu - seen;
    for (std::size_t i = 0; i < functions.size(); ++i)
        if (hooks_do_not_matter(functions[i]))
            lost -= std::max(0.0, functions[i].raw - as_ticks(samples.of[i]) * samples.ticks);
    samples.ticks *= 1 + std::clamp(lost / seen, 0.0, Most);
}

void use_samples(const vfd::ThreadView& thread, const FunctionSamples& samples,
                 std::span<const std::uint32_t> function_of, FunctionTimes functions, ThreadTimes& times) {
    for (std::size_t i = 0; i < functions.of.size(); ++i) {
        FunctionTime& function = functions.of[i];
        function.sampled = as_ticks(samples.of[i]) * samples.ticks;
        function.variance = (as_ticks(samples.of[i]) + 1) * samples.ticks * samples.ticks;
    }
    // Samples in vftrace are also of what is accounted for apart.
    const double apart = as_ticks(times.one_time_work) + as_ticks(thread.record->sampling);
    AllHooks all = hooks_by_samples(samples.in_hooks, samples.all, samples.ticks);
    all.time = std::max(0.0, all.time - apart);
    const std::vector<JoinedTime> joined = join(functions.of, all);
    times.overhead_error = Confidence95 * std::sqrt(all.variance);
    set_times(thread, function_of, functions, joined, times);
}

} // namespace vftr::analysis
