// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
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

} // namespace vftr::analysis
