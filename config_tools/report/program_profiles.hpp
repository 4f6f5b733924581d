// SPDX-License-Identifier: BSD-3-Clause
//
// The profiles of many processes. Processes that ran the same program are summed up. The ranks of an MPI job make a
// profile of their own, since statistics over ranks have a meaning within one job only; forked children of a rank
// belong to the rank.
#pragma once

#include "analysis/processes/process_tree.hpp"
#include "analysis/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vftr::cli {

struct ProgramParts {
    struct Part {
        std::uint32_t recording; // index
        std::int32_t rank;       // that it belongs to
    };
    std::string program; // name of the executable
    bool job = false;
    std::uint32_t pid = 0; // of the first part
    std::size_t processes = 0;
    std::vector<Part> parts; // by rank, then by start; of a whole job perhaps one merged file
    // Beside a merged file: recordings of some ranks, for what these did after MPI_Finalize.
    std::vector<std::uint32_t> later;
};

// Returns the profiles in the order of the tree. `shown` says which nodes to take; empty means all. With `each` there
// is one profile per recording, and nothing is summed up.
std::vector<ProgramParts> program_parts(const analysis::ProcessTree& tree, const std::vector<bool>& shown, bool each);

struct ProgramProfile {
    analysis::Profile profile; // canonical
    std::string config_text;   // of the first recording; empty: none
    std::string config_label, config_file;
    std::size_t unreadable = 0; // recordings that are missing in it; each is one line on stderr
};

ProgramProfile profile_of_parts(const analysis::ProcessTree& tree, const ProgramParts& parts);

} // namespace vftr::cli
