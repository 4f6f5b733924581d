// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/compensation.hpp"

#include <algorithm>
#include <cmath>

namespace vftr::analysis {
namespace {

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
    double timed = 0, folded = 0, untimed = 0;
    double moved = 0, variance = 0; // own time of the untimed ones

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
    }
    double all() const { return timed + folded + untimed; }
};

// Of the paths that a path calls, and of all below it; ticks.
struct Below {
    double calls = 0;    // of callees
    double cost = 0;     // of their hooks, in the caller's own time
    double moved = 0;    // from the caller to them
    double variance = 0; // of that
    double missing = 0;  // what they lack to bear their cost
    double raw = 0;      // exclusive times with the cost of the hooks, of all below
    double lost = 0;     // of that, taken away
};

class Compensation {
public:
    Compensation(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times)
        : thread_(thread), costs_(costs), times_(times), below_(thread.node_count), next_(thread.estimates.rbegin()) {
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
        std::uint32_t id = thread_.node_count;
        for (auto chunk = thread_.node_chunks.rbegin(); chunk != thread_.node_chunks.rend(); ++chunk) {
            const auto first = thread_.chunk_first[static_cast<std::size_t>(thread_.node_chunks.rend() - chunk) - 1];
            while (id > first) {
                --id;
                add(id, (*chunk)[id - first]);
            }
        }
    }

private:
    const vfd::Estimate* estimate_of(std::uint32_t id) {
        if (next_ == thread_.estimates.rend() || next_->node != id)
            return nullptr;
        return &*next_++;
    }

    void add(std::uint32_t id, const vfd::Node& node) {
        const vfd::Estimate* estimate = estimate_of(id);
        const Calls calls(node, estimate);
        const Below below = below_[id];
        const bool free = node.kind == vfd::NodeKind::Root;
        const double nested = std::min(below.calls, calls.untimed);
        const double inside = free ? 0 : calls.timed * costs_.inside + calls.folded * costs_.folded;
        const double outside = free ? 0 : calls.timed * std::max(costs_.timed - costs_.inside, 0.0) + calls.untimed * costs_.untimed + nested * costs_.nesting;
        const double moved = calls.moved - calls.untimed * costs_.inside;

        const double raw = as_signed(times_.raw_exclusive[id]) + moved - below.moved;
        const double left = raw - inside - below.cost - below.missing;
        const double exclusive = std::max(left, 0.0);
        const double all_raw = raw + below.raw, all_lost = raw - exclusive + below.lost;
        const double raw_inclusive = estimate ? all_raw : static_cast<double>(times_.raw_inclusive[id]);
        const double folded_onto_others = all_raw > 0 ? std::max(raw_inclusive / all_raw, 1.0) : 1.0;
        times_.exclusive[id] = whole_ticks(exclusive);
        times_.inclusive[id] = whole_ticks(std::max(raw_inclusive - all_lost * folded_onto_others, exclusive));
        times_.raw_exclusive[id] = whole_ticks(raw);
        times_.raw_inclusive[id] = whole_ticks(raw_inclusive);
        times_.overhead[id] = inside + outside;
        if (!times_.untimed.empty()) {
            times_.untimed[id] = calls.only_counted;
            times_.variance[id] = calls.variance + below.variance;
        }
        if (id == 0)
            return;
        Below& caller = below_[node.parent < id ? node.parent : 0]; // a writer that lives may not change callers
        caller.calls += calls.all();
        caller.cost += outside;
        caller.moved += moved;
        caller.variance += calls.variance;
        caller.missing += exclusive - left;
        caller.raw += all_raw;
        caller.lost += all_lost;
    }

    const vfd::ThreadView& thread_;
    const vfd::HookCosts& costs_;
    ThreadTimes& times_;
    std::vector<Below> below_;
    std::vector<vfd::Estimate>::const_reverse_iterator next_;
};

} // namespace

void compensate(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times) {
    Compensation(thread, costs, times).run();
}

} // namespace vftr::analysis
