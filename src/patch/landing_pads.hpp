// SPDX-License-Identifier: BSD-3-Clause
//
// Where exceptions go on within a function: the table of its call sites, which begins its "language-specific data"
// (Itanium C++ ABI, Exception Handling, level II; the forms of numbers are those of the Linux Standard Base). gcc and
// clang write it for all languages, and where another personality routine needs another table, this one does not make
// sense and is not known.
#pragma once

#include "patch/unwind_data.hpp"

#include <cstdint>
#include <span>

namespace vftr::patch {

// Of a piece of text. No bytes: it catches nothing.
struct PadTable {
    std::span<const std::uint8_t> bytes; // as far as there may be any
    std::uint64_t address = 0;           // of the bytes
    bool known = true;
};

class LandingPads {
public:
    // What an instruction in [begin, end) throws goes on at `pad`.
    struct Row {
        std::uint64_t begin = 0, end = 0, pad = 0;
    };

    // `text` is where the piece of text begins.
    LandingPads(const PadTable& table, std::uint64_t text);

    // Rows with a pad, by rising addresses. false: there are no more, or they are not as they should be.
    bool next(Row& row);
    // No row was anything else than that.
    bool ok() const { return ok_; }

private:
    UnwindData data_;
    std::uint64_t text_, pads_ = 0, end_ = 0, last_ = 0;
    std::uint8_t form_ = Omitted;
    bool ok_;
};

} // namespace vftr::patch
