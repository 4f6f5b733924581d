// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the begin and end of a function's machine code in the exception unwind table (.eh_frame_hdr). The table is in
// memory also for stripped objects, includes static functions, and lists each part of a function separately that the
// compiler has moved away (f.cold). It also leads to the landing pads of exceptions that are thrown in the part.
#pragma once

#include "patch/landing_pads.hpp"
#include "record/modules/loaded_object.hpp"

#include <cstdint>
#include <span>

namespace vftr::patch {

struct Extent {
    std::uint64_t start = 0, end = 0; // equal if the extent is not known
    PadTable pads;
    bool known() const { return start != end; }
    bool has(std::uint64_t address) const { return address - start < end - start; }
};

// Returns the part that contains the instruction at `address`. The object must stay loaded meanwhile. It takes no lock
// if the C library does not need one (record/modules/loaded_object.hpp).
Extent extent_of(std::uint64_t address);

// Where the table and what it leads to are in the object's memory, with what stands behind it in the same segment,
// which is about exceptions, too, as linkers put it. Empty: there is none.
std::span<const std::uint8_t> unwind_tables_of(const record::LoadedObject& object);

} // namespace vftr::patch
