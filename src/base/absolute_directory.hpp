// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace vftr::base {

// Absolute form of a directory; as given where it cannot be found.
std::string absolute_directory(const std::string& directory);

} // namespace vftr::base
