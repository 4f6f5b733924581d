// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace vftr::cli {

// The absolute path without links; "" if there is no such file.
std::string real_path(const std::string& path);

} // namespace vftr::cli
