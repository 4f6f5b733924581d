// SPDX-License-Identifier: BSD-3-Clause
//
// Which function with hooks a CPU sample belongs to if that was inlined: its code is inside another function's, and
// only the debug information tells where. A function that was inlined has hooks like any other, and so a path of its
// own; the sample is that of the innermost one that the recording has called.
//
// libdw reads all debug information of an object into memory, and goes through the compilation units in which there are
// samples: 0.1 s for 16 MiB. So objects with more are left out, and there, a sample in the code of a function is its
// own, or follows from what was running (sample_owners.hpp). Functions are found by their names, so one that shares its
// name with another function of its object is not.
#pragma once

#include "vfd/image.hpp"

#include <compare>
#include <cstdint>
#include <map>

namespace vftr::analysis {

struct CodePlace {
    std::uint16_t module; // id of the ModuleRecord
    std::uint64_t address;
    auto operator<=>(const CodePlace&) const = default;
};

// For each place of a sample where such a function was inlined: where that function begins. Begins of functions are no
// such places, as samples may have been given to them before.
std::map<CodePlace, CodePlace> find_inlined_functions(const vfd::Image& image);

} // namespace vftr::analysis
