// SPDX-License-Identifier: BSD-3-Clause
//
// Where the text of a function begins and ends, from the table by which exceptions are unwound (.eh_frame_hdr): it is
// in memory, also of stripped objects, has static functions too, and each part of a function that compilers put
// elsewhere (f.cold) by itself. It says also where exceptions go on that are thrown there.
#pragma once

#include "patch/landing_pads.hpp"
#include "record/loaded_object.hpp"

#include <cstdint>
#include <span>

namespace vftr::patch {

struct Extent {
    std::uint64_t start = 0, end = 0; // equal: not known
    PadTable pads;
    bool known() const { return start != end; }
    bool has(std::uint64_t address) const { return address - start < end - start; }
};

// Of the part that has the instruction at `address`, of an object that stays loaded meanwhile. No lock where the C
// library has none (record/loaded_object.hpp).
Extent extent_of(std::uint64_t address);

// Where the table and what it leads to are in the object's memory, with what stands behind it in the same segment,
// which is about exceptions, too, as linkers put it. Empty: there is none.
std::span<const std::uint8_t> unwind_tables_of(const record::LoadedObject& object);

} // namespace vftr::patch
