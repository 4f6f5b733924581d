// SPDX-License-Identifier: BSD-3-Clause
#include "compare/place_rows.hpp"

#include <cstdint>

namespace vftr::compare {

std::vector<const Row*> rows_by_place(const Comparison& paths, const CombinedTree& tree) {
    std::vector<const Row*> rows(tree.size());
    for (const Row& row : paths.rows)
        rows[row.id] = &row;
    return rows;
}

std::vector<double> inclusive_times(const std::vector<const Row*>& rows, const CombinedTree& tree, std::size_t side) {
    std::vector<double> times(rows.size());
    for (std::size_t place = rows.size(); place-- > 0;) { // parents come before their callees
        if (rows[place])
            times[place] += rows[place]->time[side];
        if (place != 0)
            times[tree.parent(static_cast<std::uint32_t>(place))] += times[place];
    }
    return times;
}

} // namespace vftr::compare
