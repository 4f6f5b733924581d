// SPDX-License-Identifier: BSD-3-Clause
//
// The objects whose functions a recording has: the program and its libraries.
#pragma once

#include "symbols/symbols.hpp"
#include "vfd/image.hpp"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::advice {

// Of a merged recording, which has no objects, it is the executable in its present state, if that has not been modified
// since the recording began.
std::vector<symbols::Module> objects_of(const vfd::Image& image);

// The build-ids of these objects in hexadecimal digits, by the label that qualifies the functions of an object
// (symbols::object_label). Objects without one are left out.
std::unordered_map<std::string, std::string> build_ids(std::span<const vfd::Image> images);

} // namespace vftr::advice
