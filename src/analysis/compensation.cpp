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

// What a path and its calls want of the time that was measured in it, and in its caller; ticks.
struct Path {
    double calls = 0;           // of it and, until it is its turn, of its callees
    double inside = 0;          // of the hooks' cost, in its own time
    double outside = 0;         // of the hooks' cost, in its caller's own time
    double moved = 0;           // from its caller's own time to its own
    double variance = 0;        // of that
    double wanted = 0;          // by its callees, of its own time
    double share = 1;           // of what it and its callees want, that there is
    std::uint64_t only_counted = 0;
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
        : thread_(thread), costs_(costs), times_(times), paths_(thread.node_count), parents_(thread.node_count) {
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
        ask_for_time();
        for (std::uint32_t id = 0; id < thread_.node_count; ++id)
            share_out(id);
        std::vector<Below> below(thread_.node_count);
        for (std::uint32_t id = thread_.node_count; id-- > 0;)
            add_up(id, below);
    }

private:
    void ask_for_time() {
        auto next = thread_.estimates.rbegin();
        std::uint32_t id = thread_.node_count;
        for (auto chunk = thread_.node_chunks.rbegin(); chunk != thread_.node_chunks.rend(); ++chunk) {
            const auto first = thread_.chunk_first[static_cast<std::size_t>(thread_.node_chunks.rend() - chunk) - 1];
            while (id > first) {
                --id;
                ask_for_time(id, (*chunk)[id - first], next != thread_.estimates.rend() && next->node == id ? &*next++ : nullptr);
            }
        }
    }

    void ask_for_time(std::uint32_t id, const vfd::Node& node, const vfd::Estimate* estimate) {
        const Calls calls(node, estimate);
        Path& path = paths_[id];
        parents_[id] = node.parent < id ? node.parent : 0; // a writer that lives may not change callers
        path.only_counted = calls.only_counted;
        path.variance = calls.variance;
        if (node.kind != vfd::NodeKind::Root) {
            const double nested = std::min(path.calls, calls.untimed), known = calls.timed * costs_.inside + calls.folded * costs_.folded;
            path.moved = std::max(calls.moved - calls.untimed * costs_.rare, 0.0);
            path.inside = std::clamp(as_signed(times_.raw_exclusive[id]) + path.moved, 0.0, known);
            path.outside = calls.timed * std::max(costs_.timed - costs_.inside, 0.0) + calls.untimed * costs_.untimed + nested * costs_.nesting +
                           known - path.inside;
        }
        path.calls = calls.all();
        if (id == 0)
            return;
        Path& caller = paths_[parents_[id]];
        caller.calls += path.calls;
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
        const double raw_inclusive = path.only_counted ? all_raw : static_cast<double>(times_.raw_inclusive[id]);
        const double folded_onto_others = all_raw > 0 ? std::max(raw_inclusive / all_raw, 1.0) : 1.0;
        times_.exclusive[id] = whole_ticks(exclusive);
        times_.inclusive[id] = whole_ticks(std::max(raw_inclusive - all_lost * folded_onto_others, exclusive));
        times_.raw_exclusive[id] = whole_ticks(raw);
        times_.raw_inclusive[id] = whole_ticks(raw_inclusive);
        if (!times_.untimed.empty()) {
            times_.untimed[id] = path.only_counted;
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
};

} // namespace

void compensate(const vfd::ThreadView& thread, const vfd::HookCosts& costs, ThreadTimes& times) {
    Compensation(thread, costs, times).run();
}

} // namespace vftr::analysis
