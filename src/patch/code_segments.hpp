// SPDX-License-Identifier: BSD-3-Clause
//
// Access to the machine code of a loaded object in memory.
#pragma once

#include "record/modules/loaded_object.hpp"

#include <cstdint>
#include <cstring>
#include <span>

namespace vftr::patch {

template <class Number>
Number number_at(std::uint64_t address) {
    Number number;
    std::memcpy(&number, reinterpret_cast<const void*>(address), sizeof number);
    return number;
}

// Returns the address to which the distance at `at` leads, in an instruction that ends with this distance.
inline std::uint64_t reached_from(std::uint64_t at) {
    return at + sizeof(std::int32_t) + static_cast<std::uint64_t>(std::int64_t{number_at<std::int32_t>(at)});
}

// Visits begin and end of the object's segments with these flags, as far as their contents come from the file.
template <class Visit>
void for_each_segment(const record::LoadedObject& object, bool executable, Visit visit) {
    for (const auto& segment : std::span(object.headers, object.header_count))
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_R && executable == bool(segment.p_flags & PF_X))
            visit(object.bias + segment.p_vaddr, object.bias + segment.p_vaddr + segment.p_filesz);
}

} // namespace vftr::patch
