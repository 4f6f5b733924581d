// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/files/real_path.hpp"

#include <cstdlib>

namespace vftr::cli {

std::string real_path(const std::string& path) {
    char* found = ::realpath(path.c_str(), nullptr);
    std::string result = found ? found : "";
    std::free(found);
    return result;
}

} // namespace vftr::cli
