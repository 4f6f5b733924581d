// SPDX-License-Identifier: BSD-3-Clause
#include "mapped_recordings.hpp"

#include "symbols/process_maps.hpp"

#include <algorithm>

namespace vftr::cli {

std::optional<std::vector<std::string>> mapped_recordings(std::uint32_t pid) {
    const std::vector<symbols::Mapping> maps = symbols::maps_of(static_cast<std::int32_t>(pid));
    if (maps.empty())
        return std::nullopt;
    std::vector<std::string> paths;
    for (const symbols::Mapping& mapping : maps) {
        std::string path(mapping.path.size(), '\0');
        path.resize(symbols::unescape_path(mapping.path, path.data()));
        if ((path.ends_with(".vfd") || path.ends_with(".tmpvfd")) && std::find(paths.begin(), paths.end(), path) == paths.end())
            paths.push_back(std::move(path));
    }
    return paths;
}

} // namespace vftr::cli
