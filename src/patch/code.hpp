// SPDX-License-Identifier: BSD-3-Clause
//
// A piece of a program's text, as its compiler made it: a function, or a part of one that stands apart from the rest.
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
    // visit(offset, instruction) until it says false. false: it has, or one was met that is not known.
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

// What stands around a piece of text.
class Surroundings {
public:
    // The piece that has the instruction at `address`.
    virtual Extent extent_at(std::uint64_t address) = 0;
    // Its bytes are there until the next one is asked for. false: they are not known.
    virtual bool read(const Extent& extent, Code& piece) = 0;
    // Whether a direct call in the same object leads to this address.
    virtual bool is_called(std::uint64_t address) = 0;

protected:
    ~Surroundings() = default;
};

} // namespace vftr::patch
