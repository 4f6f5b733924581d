// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of two runs, with what has changed between them: the largest differences first.
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_difference{
    .name = "difference",
    .title = "Difference",
    .help = "functions of both runs, the largest difference first",
    .columns =
        "base new difference ratio low high verdict calls_change? median_call_difference_ns? p99_call_difference_ns? function",
    .sort = "",
    .bar = "difference",
    .name_column = "function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToFunction,
    .there = [](const Scene& scene) { return scene.difference() != nullptr; },
    .grid = [](const Scene& scene) { return scene.difference()->functions; },
};

} // namespace vftr::tui
