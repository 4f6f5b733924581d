// SPDX-License-Identifier: BSD-3-Clause
//
// Whether only root can have decided what is read at a path: the configuration of programs that have more rights than
// who starts them. For that, everything on the way to the file has to be root's. Somebody who can write to a folder
// above it could put another folder into its place, and a file that has a second name (a hard link) may be another
// file of root's, which somebody has given this name.
//
// Links on the way are followed if they are root's, since a system may keep /usr/local elsewhere; the file and its
// folder must be none. A folder with the sticky bit, in which only root can rename what is root's, does no harm above.
#pragma once

#include <string>

namespace vftr::config {

enum class RootsFile { Absent, Refused, Good };
// `reason` is the rest of a sentence for a file that is refused: "/opt can be written by others than root". An absolute
// path with at least one folder.
RootsFile check_roots_file(const std::string& path, std::string& reason);

} // namespace vftr::config
