// SPDX-License-Identifier: BSD-3-Clause
//
// Writes what closes a recording into its file, and gives it the name of a closed one.
//
// A small file is written anew, compact (vfd/compact.hpp), beside the old one, which it then replaces; a large one, or
// one that there is no room for, gets its new header in place by one write of less than a page. Whoever is killed in
// between leaves a file that is one or the other.
#pragma once

#include "vfd/image.hpp"

#include <string>

namespace vftr::cli {

// The path of the file afterwards: .tmpvfd becomes .vfd, with a number before that where such a file is there. Throws
// std::runtime_error.
std::string write_sealed(const vfd::Image& image, const vfd::FileHeader& header);
// Only the name, of a file that is sealed.
std::string name_as_sealed(const std::string& path);

} // namespace vftr::cli
