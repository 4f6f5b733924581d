// SPDX-License-Identifier: BSD-3-Clause
//
// The bytes of a Merged file: header page, configuration, profile.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace vftr::vfd {

// `origin`: the header of the process that merged; its identity, times and names are taken over.
std::vector<std::byte> merged_file(const FileHeader& origin, std::span<const std::byte> profile, std::string_view config_json);

} // namespace vftr::vfd
