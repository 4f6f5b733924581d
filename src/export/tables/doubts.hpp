// SPDX-License-Identifier: BSD-3-Clause
//
// How near numbers are that were not all measured, as cells: absent where all were.
#pragma once

#include "export/tables/table.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"

#include <cmath>
#include <cstdint>

namespace vftr::exports {

struct Doubts {
    report::Calls calls;
    analysis::Uncertainty exclusive;

    void put_estimated_calls(Cell& cell) const {
        if (calls.unseen != 0)
            cell.number(calls.unseen);
    }
    void put_estimated_calls_error(Cell& cell) const {
        if (calls.unseen != 0)
            cell.number(calls.unseen_error);
    }
    void put_exclusive_percent(Cell& cell) const {
        if (const double percent = exclusive.percent(); percent > 0 && std::isfinite(percent))
            cell.digits(report::fixed(percent, 3));
    }
};

} // namespace vftr::exports
