// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/complete/known_functions.hpp"

#include "config_tools/report/recordings_of.hpp"
#include "config_tools/report/run_input.hpp"

#include "symbols/qualified_name.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <set>
#include <string_view>

namespace vftr::cli {
namespace {

namespace fs = std::filesystem;

// A profile of this size is read in a tenth of a second or two.
constexpr std::uint64_t MostBytesOfRecording = 32 << 20;

std::uint64_t bytes_of(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        const std::uint64_t bytes = fs::file_size(path, error);
        return error ? 0 : bytes;
    }
    std::uint64_t sum = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
        if (is_named_as_recording(entry.path()))
            sum += entry.file_size(error);
    return sum;
}

std::vector<std::string> newest_here() {
    std::error_code error;
    fs::path newest;
    fs::file_time_type time{};
    for (const fs::directory_entry& entry : fs::directory_iterator(".", error)) {
        const fs::file_time_type written = is_named_as_recording(entry.path()) ? entry.last_write_time(error) : time;
        if (written > time || (newest.empty() && is_named_as_recording(entry.path()))) {
            newest = entry.path();
            time = written;
        }
    }
    return newest.empty() ? std::vector<std::string>() : std::vector<std::string>{newest.string()};
}

} // namespace

std::vector<std::string> known_functions(const std::vector<std::string>& words) {
    std::vector<std::string> paths;
    std::error_code error;
    for (const std::string& word : words)
        if (fs::is_directory(word, error) || (is_named_as_recording(word) && fs::exists(word, error)))
            paths.push_back(word);
    if (paths.empty())
        paths = newest_here();
    std::uint64_t bytes = 0;
    for (const std::string& path : paths)
        bytes += bytes_of(path);
    std::set<std::string> names;
    if (bytes > 0 && bytes <= MostBytesOfRecording)
        try {
            const RunInput input(paths, Complaints::None);
            const analysis::Profile profile = input.files().profile();
            for (const std::string& name : profile.names)
                names.emplace(symbols::parse_qualified(name).name);
        } catch (const std::exception&) {
            // Completion has no place to tell of it.
        }
    return {names.begin(), names.end()};
}

} // namespace vftr::cli
