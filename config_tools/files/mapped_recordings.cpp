// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/files/mapped_recordings.hpp"

#include "config_tools/own_name.hpp"

#include "symbols/process_maps.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace vftr::cli {

std::optional<std::vector<MappedRecording>> mapped_recordings(std::uint32_t pid) {
    const std::vector<symbols::Mapping> maps = symbols::maps_of(static_cast<std::int32_t>(pid));
    if (maps.empty())
        return std::nullopt;
    std::vector<MappedRecording> recordings;
    for (const symbols::Mapping& mapping : maps) {
        std::string path(mapping.path.size(), '\0');
        path.resize(symbols::unescape_path(mapping.path, path.data()));
        const auto known = [&](const MappedRecording& other) {
            return other.inode == mapping.inode && other.path == path;
        };
        if ((path.ends_with(".vfd") || path.ends_with(".tmpvfd")) &&
            std::none_of(recordings.begin(), recordings.end(), known))
            recordings.push_back({std::move(path), mapping.inode});
    }
    return recordings;
}

std::vector<MappedRecording> recordings_of_process(std::uint32_t pid) {
    const std::string process = "process " + std::to_string(pid);
    auto mapped = mapped_recordings(pid);
    if (!mapped)
        throw std::runtime_error(process + " does not run, or may not be looked at");
    if (mapped->empty())
        throw std::runtime_error(process + " writes no recording (" + own_command("doctor") + " tells why)");
    return *std::move(mapped);
}

} // namespace vftr::cli
