// SPDX-License-Identifier: BSD-3-Clause
//
// Finds where functions are in the source, by the functions' names. A profile of many processes has no addresses, so
// the names are looked up in the symbols of the program's objects, and the addresses found there in the debug
// information.
#pragma once

#include "vfd/image.hpp"

#include <map>
#include <set>
#include <string>

namespace vftr::advice {

// Returns the source file by name, for names that the objects of the recording have symbols and debug information for.
// For a merged recording only the executable is searched, if it has not changed since. Of several functions of the same
// name one is taken.
std::map<std::string, std::string> source_files(const vfd::Image& image, const std::set<std::string>& names);

} // namespace vftr::advice
