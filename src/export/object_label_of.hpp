// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/profile/profile.hpp"

#include <string>
#include <string_view>

namespace vftr::exports {

// The label of the object that has the function of a path, such as "plugin.so{1a2b3c4d}"; of the program it is the
// name `application`. `key` is the function's in Profile::names. Empty: it is in none, as a region, or not known.
std::string object_label_of(const analysis::PathNode& node, std::string_view key, const std::string& application);

} // namespace vftr::exports
