// SPDX-License-Identifier: BSD-3-Clause
//
// opendir(3) with a descriptor from descriptor.hpp, which gives the reasons. It allocates memory.
#pragma once

#include "base/descriptor.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <string>

namespace vftr::base {

// The result must be closed by closedir(3). It is nullptr if the folder cannot be opened.
inline DIR* open_folder(const std::string& path) {
    const int descriptor = open_file(path.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    if (descriptor < 0)
        return nullptr;
    DIR* folder = ::fdopendir(descriptor);
    if (!folder)
        close_file(descriptor);
    return folder;
}

} // namespace vftr::base
