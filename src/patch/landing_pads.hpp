// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the landing pads of exceptions within a function. They are listed in the table of call sites at the beginning
// of the function's "language-specific data" (Itanium C++ ABI, Exception Handling, level II; the encodings of numbers
// are those of the Linux Standard Base). gcc and clang write this table for all languages. If a personality routine
// needs another kind of table, the table is found to be invalid and counts as not known.
#pragma once

#include "patch/unwind_data.hpp"

#include <cstdint>
#include <span>

namespace vftr::patch {

// The table for a piece of code. No bytes mean that it catches nothing.
struct PadTable {
    std::span<const std::uint8_t> bytes; // as far as the table may reach
    std::uint64_t address = 0;           // address of the bytes
    bool known = true;
};

class LandingPads {
public:
    // An exception that is thrown in [begin, end) continues at `pad`.
    struct Row {
        std::uint64_t begin = 0, end = 0, pad = 0;
    };

    // `text` is the address at which the piece of code begins.
    LandingPads(const PadTable& table, std::uint64_t text);

    // Gets the next row that has a pad, in order of addresses. Returns false if there are no more rows, or if the table
    // is invalid.
    bool next(Row& row);
    // False if an invalid row was found.
    bool ok() const { return ok_; }

private:
    UnwindData data_;
    std::uint64_t text_, pads_ = 0, end_ = 0, last_ = 0;
    std::uint8_t form_ = Omitted;
    bool ok_;
};

} // namespace vftr::patch
