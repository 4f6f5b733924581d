// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/compensation.hpp"

#include "analysis/whole_ns.hpp"

#include <algorithm>
#include <cmath>

namespace vftr::analysis {
namespace {

// Of what could be hidden behind the program in all (see the header).
constexpr double Hidden = 0.5;

// A damaged file may say anything.
constexpr double MostTicks = 9e18;

std::uint64_t whole_ticks(double ticks) {
    return ticks > 0 ? rounded(std::min(ticks, MostTicks)) : 0;
}

double as_signed(std::uint64_t ticks) {
    return static_cast<double>(static_cast<std::int64_t>(ticks));
}

// What an estimate says of the calls of a path that were not timed.
struct Untimed {
    std::uint64_t only_counted = 0;
    double untimed = 0, rare = 0;   // rare: of the timed calls, those that stand for others
    double moved = 0, variance = 0; // own time of the untimed ones

    Untimed() = default;
    Untimed(const vfd::Node& node, const vfd::Estimate& estimate, std::uint64_t calls) {
        const std::uint64_t ahead = node.skip > 0 ? static_cast<std::uint64_t>(node.skip) : 0;
        only_counted = std::min(calls, estimate.granted > ahead ? estimate.granted - ahead : 0);
        untimed = static_cast<double>(only_counted);
        if (estimate.stood_for != 0) {
            const double factor = untimed / static_cast<double>(estimate.stood_for);
            moved = std::clamp(estimate.own * factor, 0.0, MostTicks);
            variance = std::clamp(estimate.variance * factor * factor, 0.0, MostTicks * MostTicks);
        }
    }
};

constexpr std::uint32_t Exact = 0; // where no estimate says anything

// A path's calls by what they cost.
struct Calls {
    double timed, folded;
    double below;       // all calls of its callees
    double timed_below; // the timed ones of these
};

// Of what a path and its callees want, the part that there is; and sums over all paths below it.
struct Shares {
    double share;
    double moved_below; // from the path to its callees
    double raw_below;   // exclusive times with the cost of the hooks
    double lost_below;  // of that, taken away
};

// A path, and what is wanted of the time that was measured in it, and in its caller; ticks. Many paths are much memory, and fetching that from the
// kernel is a third of the work; so what few paths have is elsewhere, and what is needed early has the place of what is needed late.
struct Path {
    std::uint32_t parent = 0;
    std::uint32_t untimed = Exact; // place of what an estimate says
    union {
        Calls calls{}; // until it has asked for time
        Shares shares; // from then on
    };
    double between = 0; // of the hooks' cost, what its calls have between two readings of the clock, and those that are not timed would have
    double inside = 0; // of the hooks' cost, in its own time; what is in its caller's is in ThreadTimes::overhead
    double moved = 0;  // from its caller's own time to its own
    double wanted = 0; // by its callees, of its own time
};

class Compensation {
public:
    Compensation(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times)
        : thread_(thread), costs_(costs), times_(times), recorded_(thread.node_count), untimed_(1) {
        paths_.reserve(thread.node_count);
        times_.exclusive.resize(thread.node_count);
        times_.inclusive.resize(thread.node_count);
        times_.overhead.resize(thread.node_count);
        times_.unknown.resize(thread.node_count);
        if (!thread.estimates.empty()) {
            times_.untimed.resize(thread.node_count);
            times_.variance.resize(thread.node_count);
            untimed_.reserve(thread.estimates.size() + 1);
        }
    }

    // Callees have higher ids than their callers.
    void run() {
        count_calls();
        for (std::uint32_t id = thread_.node_count; id-- > 0;)
            ask_for_time(id);
        for (std::uint32_t id = 0; id < thread_.node_count; ++id)
            share_out(id);
        for (std::uint32_t id = thread_.node_count; id-- > 0;)
            add_up(id);
    }

private:
    void count_calls() {
        auto next = thread_.estimates.begin();
        std::uint32_t id = 0;
        for (const auto& chunk : thread_.node_chunks)
            for (const vfd::Node& node : chunk) {
                if (id == thread_.node_count)
                    return;
                Path& path = paths_.emplace_back();
                std::uint64_t left = vfd::calls_of(node);
                if (next != thread_.estimates.end() && next->node == id) {
                    path.untimed = static_cast<std::uint32_t>(untimed_.size());
                    left -= untimed_.emplace_back(node, *next, left).only_counted;
                }
                const std::uint64_t recursion = std::min(node.folded, left);
                path.calls.folded = static_cast<double>(recursion);
                path.calls.timed = static_cast<double>(left - recursion);
                if (path.untimed != Exact)
                    untimed_.back().rare = std::min(static_cast<double>(next++->timed), path.calls.timed);
                recorded_[id] = node.kind != vfd::NodeKind::Root;
                path.parent = node.parent < id ? node.parent : 0; // a writer that lives may not change callers
                if (id != 0) {
                    Calls& callers = paths_[path.parent].calls;
                    callers.below += path.calls.timed + path.calls.folded + untimed_of(path).untimed;
                    callers.timed_below += path.calls.timed;
                }
                ++id;
            }
    }

    const Untimed& untimed_of(const Path& path) const { return untimed_[path.untimed]; }

    // How near the times between two readings of the clock, or two calls, in a path are to so long ones that hooks cost what they cost there: from 0 to 1.
    double longness(std::uint32_t id, double times) const {
        constexpr double Short = 1.5, Long = 2.25; // times what two readings take
        if (times == 0 || costs_.inside == 0)
            return 0;
        return std::clamp((as_signed(times_.raw_exclusive[id]) / times / costs_.inside - Short) / (Long - Short), 0.0, 1.0);
    }
    double longness_of_timed(std::uint32_t id) const { return longness(id, paths_[id].calls.timed + paths_[id].calls.timed_below); }

    void ask_for_time(std::uint32_t id) {
        Path& path = paths_[id];
        Path& caller = paths_[path.parent];
        const Untimed& estimated = untimed_of(path);
        const Calls calls = path.calls;
        double outside = 0;
        if (recorded_[id]) {
            const double usual = calls.timed - estimated.rare, within = longness_of_timed(id), around = std::max(within, longness_of_timed(path.parent));
            const double folded = calls.folded * costs_.folded;
            const double timed = usual * std::lerp(costs_.timed, costs_.timed_long, Hidden * around) + estimated.rare * costs_.timed_rare + folded;
            path.between = usual * std::lerp(costs_.inside, costs_.inside_long, within) + estimated.rare * costs_.inside_rare;
            const double inside = path.between + folded;
            double untimed = 0;
            if (estimated.untimed != 0)
                untimed = estimated.untimed * std::lerp(costs_.untimed, costs_.untimed_apart, longness(path.parent, caller.calls.below)) +
                          std::min(calls.below, estimated.untimed) * costs_.nesting;
            const double supposed = estimated.untimed * costs_.inside_rare;
            path.moved = std::max(estimated.moved - supposed, 0.0);
            path.between += supposed;
            path.inside = std::clamp(as_signed(times_.raw_exclusive[id]) + path.moved, 0.0, std::min(inside, timed));
            outside = timed - path.inside + untimed;
        } else if (id == 0) {
            path.inside = std::clamp(as_signed(times_.raw_exclusive[id]), 0.0, static_cast<double>(thread_.record->sampling));
        }
        times_.overhead[id] = outside;
        caller.wanted += outside + path.moved;
        path.shares = {1, 0, 0, 0};
    }

    // Callers first: what is moved to a path is known then.
    void share_out(std::uint32_t id) {
        Path& path = paths_[id];
        if (id != 0) {
            const double share = paths_[path.parent].shares.share;
            path.moved *= share;
            times_.overhead[id] *= share;
            if (path.untimed != Exact)
                untimed_[path.untimed].variance *= share * share;
        }
        const double there_is = std::max(as_signed(times_.raw_exclusive[id]) + path.moved, 0.0), wanted = path.inside + path.wanted;
        if (wanted > there_is)
            path.shares.share = there_is / wanted;
        path.inside *= path.shares.share;
        path.wanted *= path.shares.share;
        times_.overhead[id] = path.inside + times_.overhead[id];
    }

    void add_up(std::uint32_t id) {
        const Path& path = paths_[id];
        const Untimed& estimated = untimed_of(path);
        const double there_is = as_signed(times_.raw_exclusive[id]) + path.moved, raw = there_is - path.shares.moved_below;
        const double exclusive = std::max(there_is - path.inside - path.wanted, 0.0);
        const double all_raw = raw + path.shares.raw_below, all_lost = raw - exclusive + path.shares.lost_below;
        const double raw_inclusive = estimated.only_counted ? all_raw : static_cast<double>(times_.raw_inclusive[id]);
        const double folded_onto_others = all_raw > 0 ? std::max(raw_inclusive / all_raw, 1.0) : 1.0;
        times_.exclusive[id] = whole_ticks(exclusive);
        times_.inclusive[id] = whole_ticks(std::max(raw_inclusive - all_lost * folded_onto_others, exclusive));
        const double in_caller = std::max(UnknownPart * path.between, std::min(path.between, exclusive));
        times_.unknown[id] += in_caller + UnknownPart * std::max(raw - exclusive - path.inside, 0.0);
        times_.raw_exclusive[id] = whole_ticks(raw);
        times_.raw_inclusive[id] = whole_ticks(raw_inclusive);
        if (!times_.untimed.empty()) {
            times_.untimed[id] = estimated.only_counted;
            times_.variance[id] += estimated.variance; // what its callees have added is there
        }
        if (id == 0)
            return;
        Path& caller = paths_[path.parent];
        times_.unknown[path.parent] += in_caller;
        caller.shares.moved_below += path.moved;
        caller.shares.raw_below += all_raw;
        caller.shares.lost_below += all_lost;
        if (path.untimed != Exact)
            times_.variance[path.parent] += estimated.variance;
    }

    const vfd::ThreadView& thread_;
    const vfd::HookCosts& costs_;
    ThreadTimes& times_;
    std::vector<Path> paths_;
    std::vector<bool> recorded_; // not the root, nor what stands for it
    std::vector<Untimed> untimed_; // Exact first, then those of the thread's estimates
};

} // namespace

void compensate(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times) {
    Compensation(thread, costs, times).run();
}

} // namespace vftr::analysis
