// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/compensation.hpp"

#include "analysis/profile/each_node.hpp"
#include "analysis/profile/whole_ns.hpp"
#include "base/large_array.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vftr::analysis {
namespace {

// The part of the cost of a pair that the program hides, of all that could be hidden (see the header).
constexpr double Hidden = 0.5;

// Limits the numbers that a damaged file may hold.
constexpr double MostTicks = 9e18;

std::uint64_t whole_ticks(double ticks) { return ticks > 0 ? rounded(std::min(ticks, MostTicks)) : 0; }

double as_signed(std::uint64_t ticks) { return static_cast<double>(static_cast<std::int64_t>(ticks)); }

// The calls of a path that were not timed, and what their estimate says of them.
struct CountOnlyCalls {
    std::uint32_t node;
    std::uint64_t only_counted = 0;
    double count_only = 0, rare = 0; // numbers of calls; rare: timed calls that represent others
    double moved = 0, variance = 0;  // own time of the count-only calls, which moves from the caller to the path

    CountOnlyCalls(std::uint32_t id, const vfd::Node& node, const vfd::Estimate& estimate, std::uint64_t calls)
        : node(id) {
        const std::uint64_t ahead = node.countdown > 0 ? static_cast<std::uint64_t>(node.countdown) : 0;
        only_counted = std::min(calls, estimate.count_only_calls > ahead ? estimate.count_only_calls - ahead : 0);
        count_only = static_cast<double>(only_counted);
        if (estimate.weight != 0) {
            const double factor = count_only / static_cast<double>(estimate.weight);
            moved = std::clamp(estimate.own * factor, 0.0, MostTicks);
            variance = std::clamp(estimate.variance * factor * factor, 0.0, MostTicks * MostTicks);
        }
    }
};

// The intermediate results for a path. Each step of the compensation needs other numbers than the one before, and keeps
// them in the same memory, which is that of the results.
class PathScratch {
public:
    explicit PathScratch(NodeTimes& times) : times_(times) {}

    double raw_exclusive() const { return as_signed(times_.raw_exclusive); }

    // In the first step, up to claim_time(): the path's calls by their cost.
    double& timed() { return times_.scratch[0]; }
    double& folded() { return times_.scratch[1]; }
    double& timed_below() { return times_.scratch[2]; }                      // timed calls of all its callees
    double below() const { return std::bit_cast<double>(times_.exclusive); } // all calls of its callees
    void add_below(double calls) { times_.exclusive = std::bit_cast<std::uint64_t>(below() + calls); }

    // The time that its callees claim from its own time.
    double wanted() const { return std::bit_cast<double>(times_.inclusive); }
    void want(double ticks) { times_.inclusive = std::bit_cast<std::uint64_t>(wanted() + ticks); }

    // In the second step, up to share_out(): what is subtracted from the path. The hooks' cost between the two readings
    // of the clock, of the timed calls and, as if they had it, of the count-only calls.
    double& between() { return times_.scratch[2]; }
    // The hooks' cost in its own time; NodeTimes::overhead has the cost in the caller's time.
    double& inside() { return times_.scratch[0]; }
    double& share() { return times_.scratch[1]; } // the part of its own and its callees' claims that its time can cover

    // In the last step: sums over all paths below it.
    void begin_sums(double exclusive) {
        times_.exclusive = std::bit_cast<std::uint64_t>(exclusive);
        times_.inclusive = std::bit_cast<std::uint64_t>(0.0);
        times_.scratch[0] = times_.scratch[2] = 0;
    }
    double exclusive() const { return std::bit_cast<double>(times_.exclusive); }
    // The sum of the exclusive times with the cost of the hooks.
    double raw_below() const { return std::bit_cast<double>(times_.inclusive); }
    void add_raw_below(double ticks) { times_.inclusive = std::bit_cast<std::uint64_t>(raw_below() + ticks); }
    double& lost_below() { return times_.scratch[0]; }  // the part of that which was subtracted
    double& moved_below() { return times_.scratch[2]; } // time moved from the path to its callees

private:
    NodeTimes& times_;
};

class Compensation {
public:
    Compensation(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times)
        : thread_(thread), costs_(costs), times_(times) {
        callers_.reserve(thread.node_count);
        base::expect_writes(times_.unknown, thread.node_count);
        times_.unknown.resize(thread.node_count);
        if (!thread.estimates.empty()) {
            times_.count_only.resize(thread.node_count);
            times_.variance.resize(thread.node_count);
            count_only_.reserve(thread.estimates.size());
        }
    }

    // Callees have higher ids than their callers, so callees come first when the ids go down.
    void run() {
        count_calls();
        std::size_t last = count_only_.size();
        for (std::uint32_t id = thread_.node_count; id-- > 0;)
            claim_time(id, estimate_before(last, id));
        std::size_t next = 0;
        for (std::uint32_t id = 0; id < thread_.node_count; ++id)
            share_out(id, next < count_only_.size() && count_only_[next].node == id ? &count_only_[next++] : nullptr);
        last = count_only_.size();
        for (std::uint32_t id = thread_.node_count; id-- > 0;)
            add_up(id, estimate_before(last, id));
        times_.overhead_error = UnknownPart * times_.claimed;
    }

private:
    // This flag in callers_ marks a path of the kind Root, which has no hooks itself.
    static constexpr std::uint32_t Unrecorded = 0x80000000;

    // The path's estimate, or nullptr. To be called with descending ids.
    CountOnlyCalls* estimate_before(std::size_t& last, std::uint32_t id) {
        return last != 0 && count_only_[last - 1].node == id ? &count_only_[--last] : nullptr;
    }

    PathScratch at(std::uint32_t id) { return PathScratch(times_.of[id]); }
    std::uint32_t caller_of(std::uint32_t id) const { return callers_[id] & ~Unrecorded; }
    bool is_recorded(std::uint32_t id) const { return !(callers_[id] & Unrecorded); }

    void count_calls() {
        auto next = thread_.estimates.begin();
        for_each_node(thread_, [&](std::uint32_t id, const vfd::Node& node) {
            PathScratch path = at(id);
            std::uint64_t left = vfd::calls_of(node);
            const bool estimated = next != thread_.estimates.end() && next->node == id;
            if (estimated)
                left -= count_only_.emplace_back(id, node, *next, left).only_counted;
            const std::uint64_t recursion = std::min(node.folded, left);
            path.folded() = static_cast<double>(recursion);
            path.timed() = static_cast<double>(left - recursion);
            if (estimated)
                count_only_.back().rare = std::min(static_cast<double>(next++->timed), path.timed());
            // A running writer must not change the caller.
            const std::uint32_t caller = node.parent < id ? node.parent : 0;
            callers_.push_back(caller | (node.kind == vfd::NodeKind::Root ? Unrecorded : 0));
            if (id != 0) {
                at(caller).add_below(path.timed() + path.folded() + (estimated ? count_only_.back().count_only : 0));
                at(caller).timed_below() += path.timed();
            }
        });
    }

    // How long the times between two readings of the clock (or between two calls) in a path are: from 0, where the
    // hooks cost as much as if nothing lay between, to 1, where they cost as much as in long functions.
    double longness(double raw_exclusive, double times) const {
        constexpr double Short = 1.5, Long = 2.25; // in durations of two readings
        if (times == 0 || costs_.inside == 0)
            return 0;
        return std::clamp((raw_exclusive / times / costs_.inside - Short) / (Long - Short), 0.0, 1.0);
    }
    double longness_of_timed(PathScratch path) const {
        return longness(path.raw_exclusive(), path.timed() + path.timed_below());
    }
    // longness_of_timed() of a caller, kept for the next path, as many successive paths have the same caller. The value
    // changes only when claim_time() has come to the caller itself, after all its callees.
    double longness_of_caller(std::uint32_t caller) {
        if (caller != latest_caller_) {
            latest_caller_ = caller;
            longness_of_latest_ = longness_of_timed(at(caller));
        }
        return longness_of_latest_;
    }

    // Same as std::lerp, but faster for the many paths with longness 0.
    static double between(double shortest, double longest, double longness) {
        return longness == 0 ? shortest : std::lerp(shortest, longest, longness);
    }

    void claim_time(std::uint32_t id, CountOnlyCalls* estimated) {
        PathScratch path = at(id), caller = at(caller_of(id));
        double outside = 0, inside = 0, between_readings = 0;
        if (is_recorded(id)) {
            const double rare = estimated ? estimated->rare : 0, usual = path.timed() - rare,
                         within = longness_of_timed(path), around = std::max(within, longness_of_caller(caller_of(id)));
            const double folded = path.folded() * costs_.folded;
            const double timed =
                usual * between(costs_.timed, costs_.timed_long, Hidden * around) + rare * costs_.timed_rare + folded;
            between_readings = usual * between(costs_.inside, costs_.inside_long, within) + rare * costs_.inside_rare;
            const double most_inside = between_readings + folded;
            double count_only = 0, moved = 0;
            if (estimated) {
                if (estimated->count_only != 0)
                    count_only = estimated->count_only * std::lerp(costs_.count_only, costs_.count_only_apart,
                                                                   longness(caller.raw_exclusive(), caller.below())) +
                                 std::min(path.below(), estimated->count_only) * costs_.nesting;
                const double supposed = estimated->count_only * costs_.inside_rare;
                moved = estimated->moved = std::max(estimated->moved - supposed, 0.0);
                between_readings += supposed;
            }
            inside = std::clamp(path.raw_exclusive() + moved, 0.0, std::min(most_inside, timed));
            outside = timed - inside + count_only;
            times_.claimed += timed + count_only;
            caller.want(outside + moved);
        } else {
            if (id == 0)
                inside = std::clamp(path.raw_exclusive(), 0.0, static_cast<double>(thread_.record->sampling));
            if (estimated)
                estimated->moved = 0;
        }
        times_.of[id].overhead = outside;
        path.between() = between_readings;
        path.inside() = inside;
        path.share() = 1;
    }

    // Callers come first, so that the time that is moved to a path is known.
    void share_out(std::uint32_t id, CountOnlyCalls* estimated) {
        PathScratch path = at(id);
        double& outside = times_.of[id].overhead;
        if (id != 0) {
            const double share = at(caller_of(id)).share();
            outside *= share;
            if (estimated) {
                estimated->moved *= share;
                estimated->variance *= share * share;
            }
        }
        const double there_is = path.raw_exclusive() + (estimated ? estimated->moved : 0),
                     to_give = std::max(there_is, 0.0), wanted = path.inside() + path.wanted();
        if (wanted > to_give)
            path.share() = to_give / wanted;
        const double share = path.share(), inside = path.inside() * share;
        const double exclusive = std::max(there_is - inside - path.wanted() * share, 0.0);
        const double unknown = std::max(UnknownPart * path.between(), std::min(path.between(), exclusive));
        times_.unknown[id] = unknown;
        if (id != 0)
            times_.unknown[caller_of(id)] += unknown + UnknownPart * outside;
        outside = inside + outside;
        path.begin_sums(exclusive);
    }

    void add_up(std::uint32_t id, const CountOnlyCalls* estimated) {
        PathScratch path = at(id);
        NodeTimes& times = times_.of[id];
        const double moved = estimated ? estimated->moved : 0, raw = path.raw_exclusive() + moved - path.moved_below(),
                     exclusive = path.exclusive();
        const double all_raw = raw + path.raw_below(), all_lost = raw - exclusive + path.lost_below();
        const double raw_inclusive =
            estimated && estimated->only_counted ? all_raw : static_cast<double>(times.raw_inclusive);
        const double folded_onto_others = all_raw > 0 && raw_inclusive > all_raw ? raw_inclusive / all_raw : 1.0;
        times.exclusive = whole_ticks(exclusive);
        times.inclusive = whole_ticks(std::max(raw_inclusive - all_lost * folded_onto_others, exclusive));
        times.raw_exclusive = whole_ticks(raw);
        times.raw_inclusive = whole_ticks(raw_inclusive);
        if (estimated) {
            times_.count_only[id] = estimated->only_counted;
            times_.variance[id] += estimated->variance; // the sum already includes what its callees have added
        }
        if (id == 0)
            return;
        const std::uint32_t caller = caller_of(id);
        at(caller).moved_below() += moved;
        at(caller).add_raw_below(all_raw);
        at(caller).lost_below() += all_lost;
        if (estimated)
            times_.variance[caller] += estimated->variance;
    }

    const vfd::ThreadView& thread_;
    const vfd::HookCosts& costs_;
    ThreadTimes& times_;
    std::vector<std::uint32_t> callers_;
    std::vector<CountOnlyCalls> count_only_; // by node
    std::uint32_t latest_caller_ = vfd::NoNode;
    double longness_of_latest_ = 0;
};

} // namespace

void compensate(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times) {
    Compensation(thread, costs, times).run();
}

} // namespace vftr::analysis
