// SPDX-License-Identifier: BSD-3-Clause
#include "advice/suggestion.hpp"

#include "symbols/qualified_name.hpp"
#include "symbols/shared_names.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>

namespace vftr::advice {
namespace {

constexpr double Negligible = 0.01; // percent of the program's CPU time, or of the events

class Chooser {
public:
    Chooser(const Observed& observed, const CallCosts& costs, const Bounds& bounds)
        : observed_(observed), costs_(costs), bounds_(bounds), excluded_(observed.functions.size()),
          hooks_(observed.hooks), left_(observed.hooks) {
        for (const Path& path : observed.paths)
            events_ += &path == &observed.paths.front() ? 0 : 2 * path.calls;
        for (const Function& function : observed.functions)
            for (const auto& shorter :
                 {std::string(symbols::without_origin(function.name)), symbols::without_last_qualifier(function.name)})
                if (shorter != function.name)
                    shared_.insert(shorter);
    }

    Suggestion choose() {
        Suggestion suggestion;
        suggestion.now = outcome(hooks_);
        std::vector<std::uint32_t> order(excluded_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return cost(a) > cost(b); });
        suggestion.decisions.resize(excluded_.size(), Decision::Recorded);
        for (std::uint32_t f : order) {
            if (reached() || suggestion.excluded == bounds_.max_functions)
                break;
            if (!is_worth_it(f))
                continue;
            suggestion.decisions[f] = decision_on(observed_.functions[f]);
            if (suggestion.decisions[f] == Decision::Excluded) {
                exclude(f);
                ++suggestion.excluded;
            }
        }
        suggestion.reached = reached();
        suggestion.filtered = outcome(hooks_);
        suggestion.removed = outcome(left_);
        return suggestion;
    }

private:
    double cost_if_excluded(const Function& function) const {
        return std::min(function.hooks, static_cast<double>(function.calls) * costs_.excluded);
    }
    // The cost that excluding a function saves if its hooks are removed. (A count-only call costs as little as an
    // excluded call whose hooks stay; but in most programs the hooks of excluded functions can be removed.)
    double cost(std::uint32_t f) const { return observed_.functions[f].hooks; }
    double saving(std::uint32_t f) const {
        return observed_.functions[f].hooks - cost_if_excluded(observed_.functions[f]);
    }
    double percent(double ns) const { return observed_.percent(ns); }
    bool reached() const { return percent(hooks_) <= bounds_.max_overhead && events_ <= bounds_.max_events; }

    // Whether a function's own time is known well enough.
    static bool is_known(const Function& function) {
        constexpr double MostPercent = 50;
        return function.uncertainty.percent() < MostPercent;
    }

    // Whether the function has enough calls that excluding it would make a difference.
    bool is_worth_it(std::uint32_t f) const {
        if (percent(hooks_) > bounds_.max_overhead)
            return percent(cost(f)) >= Negligible;
        return 2 * static_cast<double>(observed_.functions[f].calls) >= Negligible / 100 * static_cast<double>(events_);
    }

    Decision decision_on(const Function& function) const {
        if (is_entry_point(function.name))
            return Decision::EntryPoint;
        if (function.precise)
            return Decision::Precise;
        if (shared_.contains(function.name))
            return Decision::SharedName;
        if (bounds_.aggressive)
            return Decision::Excluded;
        if (observed_.share(function) > bounds_.keep_share && is_known(function))
            return Decision::LargeShare;
        return function.own_per_call() < costs_.timed ? Decision::Excluded : Decision::LongCalls;
    }

    void exclude(std::uint32_t f) {
        excluded_[f] = true;
        hooks_ -= saving(f);
        left_ -= observed_.functions[f].hooks;
        events_ -= 2 * observed_.functions[f].calls;
    }

    Outcome outcome(double hooks) const {
        return {percent(std::max(hooks, 0.0)), trace_size(observed_, excluded_, costs_)};
    }

    const Observed& observed_;
    const CallCosts costs_;
    const Bounds bounds_;
    std::vector<bool> excluded_;
    std::unordered_set<std::string>
        shared_;          // names that several functions share, which only their origin or qualifier tells apart
    double hooks_, left_; // ns: cost of all hooks with the filter; cost of the hooks of recorded functions only
    std::uint64_t events_ = 0;
};

} // namespace

bool is_entry_point(const std::string& name) { return name == "main" || name == "MAIN" || name == "MAIN__"; }

Suggestion suggest(const Observed& observed, const CallCosts& costs, const Bounds& bounds) {
    return Chooser(observed, costs, bounds).choose();
}

} // namespace vftr::advice
