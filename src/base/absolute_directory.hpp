// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace vftr::base {

// The path of the working directory; "" where it has none any more.
std::string working_directory();

// A path that is relative to the folder `from`, as an absolute one; as given where `from` is empty.
std::string path_from(const std::string& from, const std::string& path);

// Absolute form of a directory without links in it; as path_from where it cannot be found. from: the folder that a
// relative one is meant from; "": the working directory.
std::string absolute_directory(const std::string& directory, const std::string& from = {});

} // namespace vftr::base
