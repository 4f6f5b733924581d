// SPDX-License-Identifier: BSD-3-Clause
//
// The processes of a page, which are those of the tree that vftr report prints of a folder.
#pragma once

#include "analysis/processes/process_tree.hpp"
#include "export/json_writer.hpp"

#include <cstdint>
#include <span>

namespace vftr::exports {

// Writes an array of objects, depth first: {"depth", "next": true where the process was another program before, "one":
// whether it is a process, "pid", "rank", "host", "start_ns", "end_ns", "open": whether it runs on, or its end is not
// known, "ended", "command", "part": index of its profile}. Times are since the start of the first one; what is not
// known is absent. `part_of` has by recording the index of its part, or NoNodeIndex.
void write_processes(const analysis::ProcessTree& tree, std::span<const std::uint32_t> part_of, JsonWriter& json);

} // namespace vftr::exports
