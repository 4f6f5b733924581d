// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a Merged file: header page, configuration, profile.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace vftr::vfd {

// Calls write(bytes) for the parts of the file, from front to back, until it returns false. Returns true if it never
// did. `origin` is the header of the process that merged; the file takes over its identity, times and names.
bool write_merged_file(const FileHeader& origin, std::span<const std::byte> profile, std::string_view config_json,
                       const std::function<bool(std::span<const std::byte>)>& write);

} // namespace vftr::vfd
