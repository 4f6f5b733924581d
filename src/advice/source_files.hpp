// SPDX-License-Identifier: BSD-3-Clause
//
// Finds where functions are in the source, by the functions' names. A profile of many processes has no addresses, so
// the names are looked up in the symbols of the program's objects, and the addresses found there in the debug
// information.
#pragma once

#include "symbols/source_lines.hpp"
#include "vfd/image.hpp"

#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::advice {

// Returns the source file by name, for names that the objects of the recording have symbols and debug information for.
// For a merged recording only the executable is searched, if it has not changed since. Of several functions of the same
// name one is taken.
std::map<std::string, std::string> source_files(const vfd::Image& image, const std::set<std::string>& names);

// Where functions are declared, by their names in a profile (Profile::names, with their qualifiers). An object that
// several of the recordings have is read once. OpenMP constructs have their place in their names.
std::unordered_map<std::string, symbols::SourceLocation> source_places(std::span<const vfd::Image> images,
                                                                       const std::vector<std::string>& names);

} // namespace vftr::advice
