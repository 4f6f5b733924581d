// SPDX-License-Identifier: BSD-3-Clause
//
// Finds where functions are declared, by their names in a profile. A recording knows the addresses of its functions,
// which may be among the lines that the symbol store has (stored_lines.hpp). For the other names, and for profiles of
// many processes, which have no addresses, the symbols of the program's objects give these, and the debug information
// tells the rest.
#pragma once

#include "symbols/source_lines.hpp"
#include "vfd/image.hpp"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::advice {

// `names` are those of a profile of these recordings (Profile::names, with their qualifiers). An object that several of
// the recordings have is read once. OpenMP constructs have their place in their names. What was looked up in debug
// information is kept in the store beside the recordings, if there is one.
std::unordered_map<std::string, symbols::SourceLocation> source_places(std::span<const vfd::Image> images,
                                                                       const std::vector<std::string>& names);

} // namespace vftr::advice
