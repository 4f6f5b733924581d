// SPDX-License-Identifier: BSD-3-Clause
//
// A Profile as bytes: what ranks send each other and what a Merged file holds.
#pragma once

#include "analysis/profile.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace vftr::analysis {

std::vector<std::byte> serialize(const Profile& profile);
// Throws vfd::Error naming `label` where the bytes are no profile.
Profile deserialize(std::span<const std::byte> bytes, const std::string& label);

} // namespace vftr::analysis
