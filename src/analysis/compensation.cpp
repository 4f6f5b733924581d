// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/compensation.hpp"

#include <algorithm>
#include <cmath>

namespace vftr::analysis {
namespace {

// Of what could be hidden behind the program in all (see the header).
constexpr double Hidden = 0.5;

// A damaged file may say anything.
constexpr double MostTicks = 9e18;

std::uint64_t whole_ticks(double ticks) {
    return ticks > 0 ? static_cast<std::uint64_t>(std::llround(std::min(ticks, MostTicks))) : 0;
}

double as_signed(std::uint64_t ticks) {
    return static_cast<double>(static_cast<std::int64_t>(ticks));
}

// The calls of a path by what they cost, and what an estimate says of those that were not timed.
struct Calls {
    std::uint64_t only_counted = 0;
    double timed = 0, rare = 0, folded = 0, untimed = 0; // rare: of the timed ones, those that stand for others
    double moved = 0, variance = 0;                      // own time of the untimed ones

    Calls() = default;
    Calls(const vfd::Node& node, const vfd::Estimate* estimate) {
        std::uint64_t left = vfd::calls_of(node);
        if (estimate) {
            const std::uint64_t ahead = node.skip > 0 ? static_cast<std::uint64_t>(node.skip) : 0;
            only_counted = std::min(left, estimate->granted > ahead ? estimate->granted - ahead : 0);
            left -= only_counted;
            untimed = static_cast<double>(only_counted);
            if (estimate->stood_for != 0) {
                const double factor = untimed / static_cast<double>(estimate->stood_for);
                moved = std::clamp(estimate->own * factor, 0.0, MostTicks);
                variance = std::clamp(estimate->variance * factor * factor, 0.0, MostTicks * MostTicks);
            }
        }
        const std::uint64_t recursion = std::min(node.folded, left);
        folded = static_cast<double>(recursion);
        timed = static_cast<double>(left - recursion);
        rare = estimate ? std::min(static_cast<double>(estimate->timed), timed) : 0;
    }
    double all() const { return timed + folded + untimed; }
};

// What a path and its calls want of the time that was measured in it, and in its caller; ticks.
struct Path {
    Calls calls;
    double calls_below = 0;     // of its callees
    double timed_below = 0;     // the timed ones of these
    double inside = 0;          // of the hooks' cost, in its own time
    double outside = 0;         // of the hooks' cost, in its caller's own time
    double moved = 0;           // from its caller's own time to its own
    double variance = 0;        // of that
    double wanted = 0;          // by its callees, of its own time
    double share = 1;           // of what it and its callees want, that there is
};

// Of all paths below a path; ticks.
struct Below {
    double moved = 0, variance = 0; // from the path to its callees
    double raw = 0;                 // exclusive times with the cost of the hooks
    double lost = 0;                // of that, taken away
};

class Compensation {
public:
    Compensation(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times)
        : thread_(thread), costs_(costs), times_(times), paths_(thread.node_count), parents_(thread.node_count),
          recorded_(thread.node_count) {
        times_.exclusive.resize(thread.node_count);
        times_.inclusive.resize(thread.node_count);
        times_.overhead.resize(thread.node_count);
        if (!thread.estimates.empty()) {
            times_.untimed.resize(thread.node_count);
            times_.variance.resize(thread.node_count);
        }
    }

    // Callees have higher ids than their callers.
    void run() {
        count_calls();
        for (std::uint32_t id = thread_.node_count; id-- > 0;)
            ask_for_time(id);
        for (std::uint32_t id = 0; id < thread_.node_count; ++id)
            share_out(id);
        std::vector<Below> below(thread_.node_count);
        for (std::uint32_t id = thread_.node_count; id-- > 0;)
            add_up(id, below);
    }

private:
    void count_calls() {
        auto next = thread_.estimates.begin();
        std::uint32_t id = 0;
        for (const auto& chunk : thread_.node_chunks)
            for (const vfd::Node& node : chunk) {
                if (id == thread_.node_count)
                    return;
                const bool estimated = next != thread_.estimates.end() && next->node == id;
                paths_[id].calls = Calls(node, estimated ? &*next++ : nullptr);
                recorded_[id] = node.kind != vfd::NodeKind::Root;
                parents_[id] = node.parent < id ? node.parent : 0; // a writer that lives may not change callers
                if (id != 0) {
                    paths_[parents_[id]].calls_below += paths_[id].calls.all();
                    paths_[parents_[id]].timed_below += paths_[id].calls.timed;
                }
                ++id;
            }
    }

    // How near the times between two readings of the clock, or two calls, in a path are to so long ones that hooks cost what they cost there: from 0 to 1.
    double longness(std::uint32_t id, double times) const {
        constexpr double Short = 1.5, Long = 2.25; // times what two readings take
        if (times == 0 || costs_.inside == 0)
            return 0;
        return std::clamp((as_signed(times_.raw_exclusive[id]) / times / costs_.inside - Short) / (Long - Short), 0.0, 1.0);
    }
    double longness_of_timed(std::uint32_t id) const { return longness(id, paths_[id].calls.timed + paths_[id].timed_below); }

    void ask_for_time(std::uint32_t id) {
        Path& path = paths_[id];
        Path& caller = paths_[parents_[id]];
        const Calls& calls = path.calls;
        path.variance = calls.variance;
        if (recorded_[id]) {
            const double usual = calls.timed - calls.rare, within = longness_of_timed(id), around = std::max(within, longness_of_timed(parents_[id]));
            const double folded = calls.folded * costs_.folded;
            const double timed = usual * std::lerp(costs_.timed, costs_.timed_long, Hidden * around) + calls.rare * costs_.timed_rare + folded;
            const double inside = usual * std::lerp(costs_.inside, costs_.inside_long, within) + calls.rare * costs_.inside_rare + folded;
            const double untimed = calls.untimed * std::lerp(costs_.untimed, costs_.untimed_apart, longness(parents_[id], caller.calls_below)) +
                                   std::min(path.calls_below, calls.untimed) * costs_.nesting;
            path.moved = std::max(calls.moved - calls.untimed * costs_.inside_rare, 0.0);
            path.inside = std::clamp(as_signed(times_.raw_exclusive[id]) + path.moved, 0.0, std::min(inside, timed));
            path.outside = timed - path.inside + untimed;
        } else if (id == 0) {
            path.inside = std::clamp(as_signed(times_.raw_exclusive[id]), 0.0, static_cast<double>(thread_.record->sampling));
        }
        caller.wanted += path.outside + path.moved;
    }

    // Callers first: what is moved to a path is known then.
    void share_out(std::uint32_t id) {
        Path& path = paths_[id];
        if (id != 0) {
            const double share = paths_[parents_[id]].share;
            path.moved *= share;
            path.outside *= share;
            path.variance *= share * share;
        }
        const double there_is = std::max(as_signed(times_.raw_exclusive[id]) + path.moved, 0.0), wanted = path.inside + path.wanted;
        if (wanted > there_is)
            path.share = there_is / wanted;
        path.inside *= path.share;
        path.wanted *= path.share;
        times_.overhead[id] = path.inside + path.outside;
    }

    void add_up(std::uint32_t id, std::vector<Below>& all_below) {
        const Path& path = paths_[id];
        const Below& below = all_below[id];
        const double there_is = as_signed(times_.raw_exclusive[id]) + path.moved, raw = there_is - below.moved;
        const double exclusive = std::max(there_is - path.inside - path.wanted, 0.0);
        const double all_raw = raw + below.raw, all_lost = raw - exclusive + below.lost;
        const double raw_inclusive = path.calls.only_counted ? all_raw : static_cast<double>(times_.raw_inclusive[id]);
        const double folded_onto_others = all_raw > 0 ? std::max(raw_inclusive / all_raw, 1.0) : 1.0;
        times_.exclusive[id] = whole_ticks(exclusive);
        times_.inclusive[id] = whole_ticks(std::max(raw_inclusive - all_lost * folded_onto_others, exclusive));
        times_.raw_exclusive[id] = whole_ticks(raw);
        times_.raw_inclusive[id] = whole_ticks(raw_inclusive);
        if (!times_.untimed.empty()) {
            times_.untimed[id] = path.calls.only_counted;
            times_.variance[id] = path.variance + below.variance;
        }
        if (id == 0)
            return;
        Below& caller = all_below[parents_[id]];
        caller.moved += path.moved;
        caller.variance += path.variance;
        caller.raw += all_raw;
        caller.lost += all_lost;
    }

    const vfd::ThreadView& thread_;
    const vfd::HookCosts& costs_;
    ThreadTimes& times_;
    std::vector<Path> paths_;
    std::vector<std::uint32_t> parents_;
    std::vector<bool> recorded_; // not the root, nor what stands for it
};

} // namespace

void compensate(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times) {
    Compensation(thread, costs, times).run();
}

} // namespace vftr::analysis
