// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/thread_samples.hpp"

#include "analysis/profile/each_node.hpp"
#include "analysis/recording/bounded_times.hpp"
#include "analysis/recording/sample_owners.hpp"
#include "analysis/recording/sampled_times.hpp"
#include "analysis/recording/thread_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace vftr::analysis {
namespace {

// By function: whether its calls take much more than their hooks, and all of them had hooks, so that these know their
// times.
std::vector<bool> long_calls(std::size_t functions, std::span<const std::uint32_t> function_of,
                             const ThreadTimes& times) {
    constexpr double Much = 10;
    std::vector<double> rest(functions);
    for (std::size_t id = 0; id < times.of.size(); ++id) {
        const NodeTimes& node = times.of[id];
        const bool guessed = !times.unseen.empty() && times.unseen[id].calls != 0;
        rest[function_of[id]] += guessed ? -static_cast<double>(node.raw_exclusive)
                                         : static_cast<double>(node.raw_exclusive) - Much * node.overhead;
    }
    std::vector<bool> is_long;
    for (const double ticks : rest)
        is_long.push_back(ticks > 0);
    return is_long;
}

// Samples are taken as evenly spread over the CPU time, also that in which none were taken.
double ticks_of_sample(const vfd::Image& image, const vfd::ThreadRecord& record) {
    const double cpu = static_cast<double>(record.cpu_ns), sampled = cpu - static_cast<double>(record.unsampled_cpu_ns);
    const double part = sampled > 0 ? sampled / cpu : 1;
    return static_cast<double>(image.header().sample_ns) / image.clock().ns_per_tick() / part;
}

// Whether code without hooks has paths of its own below this node. A worker's root waits in its runtime.
bool shows_its_callees(const vfd::Node& node, bool is_worker) {
    return node.kind == NodeKind::Function || node.kind == NodeKind::Region ||
           (node.kind == NodeKind::Root && !is_worker);
}

using NodeAndName = std::pair<std::uint32_t, std::uint32_t>;
using Counts = std::map<NodeAndName, std::uint64_t>;

std::vector<UnhookedTime> times_without_hooks(const Counts& counts, double ticks_of_sample, const ThreadTimes& times) {
    std::vector<double> sampled(times.of.size());
    for (const auto& [where, count] : counts)
        sampled[where.first] += static_cast<double>(count) * ticks_of_sample;
    std::vector<UnhookedTime> result;
    for (const auto& [where, count] : counts) {
        const double own = static_cast<double>(times.of[where.first].exclusive),
                     part = std::min(1.0, own / sampled[where.first]);
        // Rounded down, so that all of them together do not exceed the node's.
        result.push_back({where.first, where.second,
                          static_cast<std::uint64_t>(static_cast<double>(count) * ticks_of_sample * part),
                          static_cast<double>(count) * ticks_of_sample * ticks_of_sample * part * part});
    }
    return result;
}

// Code of the system that reads a clock: the kernel's, in each process, and the C library's function that calls it.
bool reads_clock(std::string_view unhooked_name) {
    return unhooked_name.starts_with("[vdso]") || unhooked_name.ends_with("] clock_gettime");
}

// How many of the samples in the system's clock are of hooks, which read it where the recorder has no counter of the
// processor: those of a function as far as its hooks take that much time. The others are the program's own.
class ClockOfHooks {
public:
    ClockOfHooks(vfd::ClockKind clock, std::span<const FunctionTime> functions, double ticks_of_sample) {
        constexpr double Tolerance = 2; // of the model of the hooks' costs
        left_.resize(functions.size());
        if (clock == vfd::ClockKind::Monotonic)
            for (std::size_t i = 0; i < functions.size(); ++i)
                left_[i] = static_cast<std::uint64_t>(Tolerance * std::max(functions[i].hooks, functions[i].own_hooks) /
                                                      ticks_of_sample);
    }
    std::uint64_t take(std::uint32_t function, std::uint64_t samples) {
        const std::uint64_t taken = std::min(samples, left_[function]);
        left_[function] -= taken;
        return taken;
    }

private:
    std::vector<std::uint64_t> left_;
};

std::uint64_t samples_of(const vfd::ThreadView& thread) {
    std::uint64_t all = 0;
    for (const vfd::CpuSample& sample : thread.samples)
        all += sample.count;
    return all;
}

} // namespace

bool has_enough_samples(const vfd::ThreadView& thread) { return samples_of(thread) >= FunctionSamples::Fewest; }

std::vector<UnhookedTime> use_samples_of(const vfd::Image& image, const vfd::ThreadView& thread, NameTable& names,
                                         ThreadTimes& times) {
    FunctionSamples samples;
    samples.all = samples_of(thread);
    const bool sampled = samples.all >= FunctionSamples::Fewest;
    if (!sampled && !is_contradictory(times, image.header().costs.timed))
        return {};
    std::vector<std::uint32_t> function_of(thread.node_count);
    for_each_node(thread, [&](std::uint32_t id, const vfd::Node& node) { function_of[id] = names.index_of(node); });
    if (!sampled) {
        use_bounds(thread, names.size(), function_of, image.clock().ns_per_tick(), times);
        return {};
    }
    const FunctionTimes functions = function_times(thread, names.size(), function_of, times);
    samples.ticks = ticks_of_sample(image, *thread.record);
    samples.cpu = static_cast<double>(thread.record->cpu_ns) / image.clock().ns_per_tick();
    ClockOfHooks clock(image.header().clock, functions.of, samples.ticks);
    std::vector<LocatedSample> outside_hooks;
    Counts without_hooks;
    const bool is_worker = only_workers(thread);
    for (const vfd::CpuSample& sample : thread.samples) {
        const vfd::Node& running = thread.node(sample.node);
        const std::string& name = names.names().at(sample);
        if (is_recorder(name)) {
            samples.in_hooks += sample.count;
            continue;
        }
        std::optional<std::uint32_t> function = names.known(name);
        if (function && *function >= functions.of.size())
            function.reset(); // the row of an object, from here
        const bool is_unhooked =
            !function && sample.address != 0 && !is_stub(name) && shows_its_callees(running, is_worker);
        std::uint64_t count = sample.count;
        if (is_unhooked && reads_clock(names.names().without_hooks(sample))) {
            const std::uint64_t of_hooks = clock.take(function_of[sample.node], count);
            samples.in_hooks += of_hooks;
            count -= of_hooks;
        }
        if (count == 0)
            continue;
        outside_hooks.push_back({function, sample.node, count});
        if (is_unhooked)
            without_hooks[{sample.node, names.index_of_unhooked(sample)}] += count;
    }
    samples.of =
        samples_of_functions(thread, outside_hooks, function_of, long_calls(functions.of.size(), function_of, times));
    share_lost_time(functions.of, samples);
    use_samples(thread, samples, function_of, functions, times);
    return times_without_hooks(without_hooks, samples.ticks, times);
}

} // namespace vftr::analysis
