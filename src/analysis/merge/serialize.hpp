// SPDX-License-Identifier: BSD-3-Clause
//
// Converts a Profile to bytes and back. Ranks send each other these bytes, and a Merged file holds them.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace vftr::analysis {

std::vector<std::byte> serialize(const Profile& profile);
// Throws vfd::Error, which names `label`, where the bytes are no valid profile.
Profile deserialize(std::span<const std::byte> bytes, const std::string& label);

} // namespace vftr::analysis
