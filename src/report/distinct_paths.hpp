// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the call paths of a list with bounded width (path_text.hpp) such that different paths look different where
// there is room for it. Where the ends of several paths are the same, functions in which their middles differ are kept,
// too: "f<g<(3 left out)<by_rows<(4 left out)<main<init".
#pragma once

#include "report/path_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::report {

// Returns the paths of `nodes`, in their order. `paths` must have been made from the same profile and names.
std::vector<std::string> distinct_paths(const analysis::Profile& profile, const ShownNames& names,
                                        const PathText& paths, const std::vector<std::uint32_t>& nodes);

} // namespace vftr::report
