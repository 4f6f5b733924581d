// SPDX-License-Identifier: BSD-3-Clause
//
// The recordings in folders and files, of however many runs they are.
#pragma once

#include "analysis/processes/recording.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

struct RecordingsFound {
    std::vector<analysis::Recording> recordings;
    std::size_t unreadable = 0; // files that are none
};

enum class Complaints { OneLineEach, None }; // about unreadable files, on stderr

// Each path is a file, or a folder of which all files *.vfd and *.tmpvfd are taken. A file that vanishes meanwhile,
// because its process ends, is ignored. Throws std::runtime_error for a folder that cannot be read.
RecordingsFound recordings_of(const std::vector<std::string>& paths, Complaints complaints = Complaints::OneLineEach);

bool is_directory(const std::string& path);

// *.vfd and *.tmpvfd.
bool is_named_as_recording(const std::filesystem::path& path);

// A process that ends closes its file, which is .vfd then and no longer .tmpvfd. The name under which a file that is
// gone is there now; nullopt: it is not gone, or nowhere. The first one looks at names alone, the second one takes no
// file of another process.
std::optional<std::string> closed_file_of(const std::string& path);
std::optional<std::string> closed_file_of(const analysis::Recording& recording);

} // namespace vftr::cli
