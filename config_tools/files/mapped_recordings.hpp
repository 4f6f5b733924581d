// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

struct MappedRecording {
    std::string path; // as it is now
    std::uint64_t inode;
};

// The recordings that a process has mapped, which are those that it writes. Returns nullopt if there is no such
// process, or if the user may not see its mappings.
std::optional<std::vector<MappedRecording>> mapped_recordings(std::uint32_t pid);
// For a user who named the process: at least one recording, or std::runtime_error.
std::vector<MappedRecording> recordings_of_process(std::uint32_t pid);

} // namespace vftr::cli
