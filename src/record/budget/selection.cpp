// SPDX-License-Identifier: BSD-3-Clause
#include "record/budget/selection.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace vftr::record {
namespace {

constexpr double SmallestPart = 1.0 / 64; // of the limit

using Functions = std::unordered_set<std::uint64_t>;

// The functions that stay, because of themselves or because of what they call.
Functions functions_that_stay(const std::vector<PathCost>& paths) {
    Functions stay;
    std::vector<bool> below(paths.size()); // by path: something below it stays
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = paths.size(); i-- > 0;) {
            const PathCost& path = paths[i];
            const bool stays = path.stays || path.function == 0 || below[i] || stay.contains(path.function);
            if (!stays)
                continue;
            if (path.function != 0)
                changed |= stay.insert(path.function).second;
            if (path.active && path.parent != PathCost::NoParent)
                below[path.parent] = true;
        }
    }
    return stay;
}

// Adds all functions that the functions of `set` have called in the interval, directly or not.
void close_over_callees(const std::vector<PathCost>& paths, Functions& set) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const PathCost& path : paths)
            if (path.active && path.parent != PathCost::NoParent && set.contains(paths[path.parent].function))
                changed |= set.insert(path.function).second;
    }
}

} // namespace

Selection select_windowed(const std::vector<PathCost>& paths, double limit,
                          const std::function<bool(std::uint64_t)>& is_windowed) {
    Selection selection;
    const Functions stay = functions_that_stay(paths);
    std::unordered_map<std::uint64_t, double> costs;
    Functions windowed;
    for (const PathCost& path : paths) {
        if (path.function == 0 || !is_windowed(path.function)) {
            selection.rest += path.cost;
            if (path.function != 0 && !stay.contains(path.function))
                costs[path.function] += path.cost;
        } else if (stay.contains(path.function)) {
            selection.released.push_back(path.function);
        } else {
            windowed.insert(path.function);
        }
    }
    std::sort(selection.released.begin(), selection.released.end());
    selection.released.erase(std::unique(selection.released.begin(), selection.released.end()),
                             selection.released.end());
    const auto choose_callees = [&] {
        Functions closed = windowed;
        close_over_callees(paths, closed);
        for (const std::uint64_t function : closed)
            if (windowed.insert(function).second) {
                selection.chosen.push_back(function);
                selection.rest -= costs[function];
            }
    };
    choose_callees(); // windowed functions may have begun to call others
    std::vector<std::pair<double, std::uint64_t>> by_cost;
    for (const auto& [function, cost] : costs)
        by_cost.emplace_back(-cost, function);
    std::sort(by_cost.begin(), by_cost.end());
    for (const auto& [cost, function] : by_cost) {
        if (selection.rest <= limit || -cost < SmallestPart * limit)
            break;
        if (!windowed.insert(function).second)
            continue;
        selection.chosen.push_back(function);
        selection.rest += cost;
        choose_callees();
    }
    return selection;
}

} // namespace vftr::record
