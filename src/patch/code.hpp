// SPDX-License-Identifier: BSD-3-Clause
//
// A piece of a program's machine code as its compiler made it: a function, or a part of a function that the compiler
// has separated from the rest.
#pragma once

#include "patch/extent.hpp"
#include "patch/instruction.hpp"

#include <cstdint>
#include <span>

namespace vftr::patch {

struct Code {
    std::uint64_t address = 0;
    std::span<const std::uint8_t> bytes;
    PadTable pads;

    bool has(std::uint64_t at) const { return at - address < bytes.size(); }
    // Calls visit(offset, instruction) until it returns false. Returns false if it did, or if an instruction could not
    // be decoded.
    template <class Visit>
    bool for_each(Visit visit) const {
        std::uint64_t at = 0;
        while (at < bytes.size()) {
            const Instruction each = decode(bytes.subspan(at), address + at);
            if (each.length == 0 || !visit(at, each))
                return false;
            at += each.length;
        }
        return true;
    }
};

// Gives access to the machine code around a piece.
class Surroundings {
public:
    // Returns the extent of the piece that contains the instruction at `address`.
    virtual Extent extent_at(std::uint64_t address) = 0;
    // Reads the piece. Its bytes are valid until the next call. Returns false if they are not known.
    virtual bool read(const Extent& extent, Code& piece) = 0;
    // Whether a direct call in the same object has this target.
    virtual bool is_called(std::uint64_t address) = 0;

protected:
    ~Surroundings() = default;
};

} // namespace vftr::patch
