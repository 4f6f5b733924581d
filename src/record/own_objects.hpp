// SPDX-License-Identifier: BSD-3-Clause
//
// Which of the loaded objects are there because of us: the library, and those that only it needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::record {

// An object, as the dynamic linker knows it.
struct ObjectNeeds {
    std::string name;                // that others need it by
    std::vector<std::string> needed; // names
};
// Places in the list of those that would not be there without that at `own`; the first one is the program. Empty where
// that is the program itself (libvftrace.a).
std::vector<std::size_t> needed_by_own_only(const std::vector<ObjectNeeds>& objects, std::size_t own);

// What of the process' memory these objects lie in.
struct MappedRange {
    std::uintptr_t start;
    std::size_t bytes;
    double part = 1; // of what is resident there: in proportion, where it is not known what is ours
};
std::vector<MappedRange> ranges_of_own_objects();

} // namespace vftr::record
