// SPDX-License-Identifier: BSD-3-Clause
//
// The objects whose functions a recording has: the program and its libraries.
#pragma once

#include "symbols/symbols.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::advice {

// Of a merged recording, which has no objects, it is the executable in its present state, if that has not been modified
// since the recording began.
std::vector<symbols::Module> objects_of(const vfd::Image& image);

// Calls visit(name, address in the file) for the functions that an object has symbols of, with what tells those of one
// name in it apart.
void for_each_function(const symbols::Module& object, const symbols::NameOptions& options,
                       const std::function<void(const std::string& name, std::uint64_t address)>& visit);

// The build-ids of these objects in hexadecimal digits, by the label that qualifies the functions of an object
// (symbols::object_label). Objects without one are left out.
std::unordered_map<std::string, std::string> build_ids(std::span<const vfd::Image> images);

} // namespace vftr::advice
