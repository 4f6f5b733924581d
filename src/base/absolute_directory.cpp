// SPDX-License-Identifier: BSD-3-Clause
#include "base/absolute_directory.hpp"

#include <climits>
#include <cstdlib>
#include <unistd.h>

namespace vftr::base {

std::string working_directory() {
    char path[PATH_MAX];
    return ::getcwd(path, sizeof path) && path[0] == '/' ? path : "";
}

std::string path_from(const std::string& from, const std::string& path) {
    if (from.empty() || path.starts_with('/'))
        return path;
    return from.ends_with('/') ? from + path : from + '/' + path;
}

std::string absolute_directory(const std::string& directory, const std::string& from) {
    const std::string path = path_from(from, directory);
    char resolved[PATH_MAX];
    if (::realpath(path.c_str(), resolved))
        return resolved;
    // A working directory below a folder that may not be searched can still be used by relative paths.
    return from == working_directory() ? directory : path;
}

} // namespace vftr::base
