// SPDX-License-Identifier: BSD-3-Clause
//
// Which of the loaded objects are in the process because of vftrace: the library, and those that only the library
// needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vftr::record {

// An object as the dynamic linker knows it.
struct ObjectNeeds {
    std::string name;                // the name by which others need it
    std::vector<std::string> needed; // names of the objects that it needs
};
// Indices of the objects that would not be loaded without the one at index `own`; the first object of the list is the
// program. Empty if `own` is the program itself (libvftrace.a).
std::vector<std::size_t> needed_by_own_only(const std::vector<ObjectNeeds>& objects, std::size_t own);

// The ranges of the process's memory that these objects take.
struct MappedRange {
    std::uintptr_t start;
    std::size_t bytes;
    // Fraction of its resident pages that counts; below 1 where the parts of vftrace cannot be told from the rest.
    double part = 1;
};
std::vector<MappedRange> ranges_of_own_objects();

} // namespace vftr::record
