// SPDX-License-Identifier: BSD-3-Clause
//
// The files that functions are written in, by their names: a profile of many processes has no addresses any more, so
// they are looked for in the symbols of the program's files, and then in the debug information.
#pragma once

#include "vfd/image.hpp"

#include <map>
#include <set>
#include <string>

namespace vftr::advice {

// Of the names that are found in the objects of the recording (of a merged one: in the executable, where that has not
// changed since) and have debug information there. Of two functions of one name one counts.
std::map<std::string, std::string> source_files(const vfd::Image& image, const std::set<std::string>& names);

} // namespace vftr::advice
