// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree of two runs, with what has changed between them. All figures are of the path itself, so that callers of
// a slow function are blameless.
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_changed_paths{
    .name = "changed_paths",
    .title = "Changed paths",
    .help = "call paths of both runs; Enter opens and closes a row",
    .columns =
        "base new difference ratio verdict calls_change? median_call_difference_ns? p99_call_difference_ns? function",
    .sort = "new_inclusive",
    .bar = "difference",
    .name_column = "function",
    .depth = "depth",
    .group = "",
    .leads = ViewSpec::Leads::Nowhere,
    .there = [](const Scene& scene) { return scene.difference() != nullptr; },
    .grid = [](const Scene& scene) { return scene.difference()->paths; },
};

} // namespace vftr::tui
