// SPDX-License-Identifier: BSD-3-Clause
#include "base/absolute_directory.hpp"

#include <climits>
#include <cstdlib>

namespace vftr::base {

std::string absolute_directory(const std::string& directory) {
    char resolved[PATH_MAX];
    return ::realpath(directory.c_str(), resolved) ? resolved : directory;
}

} // namespace vftr::base
