// SPDX-License-Identifier: BSD-3-Clause
#include "compare/moves.hpp"

#include "compare/combined_tree.hpp"
#include "compare/shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace vftr::compare {
namespace {

class MoveFinder {
public:
    explicit MoveFinder(const CombinedTree& tree) : tree_(tree) {
        for (std::uint32_t place = 1; place < tree.size(); ++place)
            if (!tree.is_in_both(place))
                alone_[tree.is_in(Base, place) ? Base : New].push_back(place);
    }

    std::vector<std::uint32_t> find() {
        if (alone_[Base].empty() || alone_[New].empty())
            return {};
        moved_to_.assign(tree_.size(), Nowhere);
        taken_.assign(tree_.size(), false);
        for (const std::uint32_t place : alone_[New])
            callees_.emplace(pair_of(tree_.parent(place), tree_.function(place)), place);
        for (const std::uint32_t place : alone_[Base])
            base_callees_[tree_.parent(place)].push_back(place);
        const Shapes shapes(tree_);
        match(shapes.with_names, shapes);
        match_between_layers();
        match(shapes.without_calls, shapes);
        return std::move(moved_to_);
    }

private:
    static std::uint64_t pair_of(std::uint32_t place, std::uint32_t function) {
        return std::uint64_t{place} << 32 | function;
    }

    // The largest subtrees first, so that none is torn apart.
    void match(const std::vector<std::uint64_t>& shape, const Shapes& shapes) {
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of_new;
        for (auto place = alone_[New].rbegin(); place != alone_[New].rend(); ++place)
            if (!taken_[*place])
                of_new[shape[*place]].push_back(*place);
        std::vector<std::uint32_t> order = alone_[Base];
        std::ranges::stable_sort(order, {}, [&](std::uint32_t place) { return ~shapes.places[place]; });
        for (const std::uint32_t place : order) {
            const auto found = moved_to_[place] == Nowhere ? of_new.find(shape[place]) : of_new.end();
            if (found == of_new.end())
                continue;
            std::vector<std::uint32_t>& left = found->second;
            while (!left.empty() && taken_[left.back()])
                left.pop_back();
            if (!left.empty())
                move(place, left.back());
        }
    }

    // What has the same nearest caller among the places that match.
    void match_between_layers() {
        std::vector<std::uint32_t> nearest(tree_.size());
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of_new;
        for (const std::uint32_t place : alone_[New]) {
            const std::uint32_t caller = tree_.parent(place);
            nearest[place] = tree_.is_in_both(caller) || taken_[caller] ? caller : nearest[caller];
            if (!taken_[place])
                of_new[pair_of(nearest[place], tree_.function(place))].push_back(place);
        }
        for (const std::uint32_t place : alone_[Base]) {
            const std::uint32_t caller = tree_.parent(place);
            nearest[place] = tree_.is_in_both(caller)       ? caller
                             : moved_to_[caller] != Nowhere ? moved_to_[caller]
                                                            : nearest[caller];
            if (moved_to_[place] != Nowhere)
                continue;
            const auto found = of_new.find(pair_of(nearest[place], tree_.function(place)));
            if (found == of_new.end())
                continue;
            for (const std::uint32_t to : found->second)
                if (!taken_[to]) {
                    move(place, to);
                    break;
                }
        }
    }

    // With all callees that match. There is no recursion, as trees are thousands of calls deep.
    void move(std::uint32_t place, std::uint32_t to) {
        struct Step {
            std::uint32_t from, to;
        };
        std::vector<Step> ahead{{place, to}};
        while (!ahead.empty()) {
            const Step step = ahead.back();
            ahead.pop_back();
            moved_to_[step.from] = step.to;
            taken_[step.to] = true;
            const auto callees = base_callees_.find(step.from);
            if (callees == base_callees_.end())
                continue;
            for (const std::uint32_t callee : callees->second) {
                const auto partner = callees_.find(pair_of(step.to, tree_.function(callee)));
                if (moved_to_[callee] == Nowhere && partner != callees_.end() && !taken_[partner->second])
                    ahead.push_back({callee, partner->second});
            }
        }
    }

    const CombinedTree& tree_;
    PerSide<std::vector<std::uint32_t>> alone_;                // places that only this side has, callers first
    std::unordered_map<std::uint64_t, std::uint32_t> callees_; // of the new side: by caller and function
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> base_callees_;
    std::vector<std::uint32_t> moved_to_;
    std::vector<bool> taken_;
};

} // namespace

std::vector<std::uint32_t> find_moves(const CombinedTree& tree) { return MoveFinder(tree).find(); }

} // namespace vftr::compare
