// SPDX-License-Identifier: BSD-3-Clause
//
// The call paths of a list, of bounded width (path_text.hpp), so that different ones read differently where there is
// room for it: of paths whose ends are the same, functions in which the middles differ are kept, too: "f<g<(3 left
// out)<by_rows<(4 left out)<main<init".
#pragma once

#include "report/path_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::report {

// The texts of `nodes`, in their order. `paths` was made from the same profile and names.
std::vector<std::string> distinct_paths(const analysis::Profile& profile, const ShownNames& names,
                                        const PathText& paths, const std::vector<std::uint32_t>& nodes);

} // namespace vftr::report
