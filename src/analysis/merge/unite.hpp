// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vftr::analysis {

// Sorts the entries by key, and merges entries of equal keys by add(kept, other).
template <typename Entry, typename Key, typename Add>
void unite(std::vector<Entry>& entries, Key key, Add add) {
    std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (kept != 0 && key(entries[kept - 1]) == key(entries[i]))
            add(entries[kept - 1], entries[i]);
        else
            entries[kept++] = entries[i];
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(kept), entries.end());
}

// For entries that belong to a call path each, `node`. Adds those of `from`, whose paths have the indices `place` in
// the profile of `into`.
template <typename Entry, typename Add>
void add_by_node(std::vector<Entry>& into, const std::vector<Entry>& from, const std::vector<std::uint32_t>& place,
                 Add add) {
    for (Entry entry : from) {
        entry.node = place[entry.node];
        into.push_back(std::move(entry));
    }
    unite(
        into, [](const Entry& entry) { return entry.node; }, add);
}

// Replaces the paths by their new indices, and sorts the entries.
template <typename Entry, typename Add>
void renumber_by_node(std::vector<Entry>& entries, const std::vector<std::uint32_t>& place, Add add) {
    for (Entry& entry : entries)
        entry.node = place[entry.node];
    unite(
        entries, [](const Entry& entry) { return entry.node; }, add);
}

} // namespace vftr::analysis
