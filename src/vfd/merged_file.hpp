// SPDX-License-Identifier: BSD-3-Clause
//
// The bytes of a Merged file: header page, configuration, profile.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace vftr::vfd {

// Calls write(bytes) for the parts of the file, front to back, until it returns false; returns whether it never did.
// `origin`: the header of the process that merged; its identity, times and names are taken over.
bool write_merged_file(const FileHeader& origin, std::span<const std::byte> profile, std::string_view config_json,
                       const std::function<bool(std::span<const std::byte>)>& write);

} // namespace vftr::vfd
