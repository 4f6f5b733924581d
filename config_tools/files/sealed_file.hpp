// SPDX-License-Identifier: BSD-3-Clause
//
// Closes a recording: writes what is missing into its file, and gives it the name of a closed one.
//
// A small file is written anew in compact form (vfd/compact.hpp), beside the old one, which it then replaces. A large
// file, or one for which there is no room, gets its new header in place by one write of less than a page. A process
// that is killed in between leaves the old or the new file, whole.
#pragma once

#include "vfd/image.hpp"

#include <string>

namespace vftr::cli {

// Returns the path of the file afterwards: .tmpvfd becomes .vfd, with a number before that if such a file exists.
// Throws std::runtime_error.
std::string write_sealed(const vfd::Image& image, const vfd::FileHeader& header);
// The same for a file that is closed already: only its name changes.
std::string name_as_sealed(const std::string& path);

} // namespace vftr::cli
