// SPDX-License-Identifier: BSD-3-Clause
//
// The machine code of this process as its compilers made it, whatever hook calls are taken out of it at present.
#pragma once

#include "patch/call_targets.hpp"
#include "patch/code.hpp"
#include "patch/hook_site_index.hpp"
#include "patch/process_memory.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

class PristineCode : public Surroundings {
public:
    // `room` has MaxCodeBytes bytes. `targets` are those of the object; nullptr: they are not known.
    PristineCode(const ProcessMemory& memory, HookSiteIndex& index, std::uint8_t* room, const CallTargets* targets)
        : memory_(memory), index_(index), room_(room), targets_(targets) {}

    Extent extent_at(std::uint64_t address) override { return extent_of(address); }
    bool read(const Extent& extent, Code& piece) override { return copy(memory_, index_, extent, room_, piece); }
    bool is_called(std::uint64_t address) override;

    // Copies a piece of code and restores its hook calls in the copy. Returns false if the extent is not known, is too
    // long, or cannot be read.
    static bool copy(const ProcessMemory& memory, HookSiteIndex& index, const Extent& extent, std::uint8_t* room,
                     Code& code);

private:
    const ProcessMemory& memory_;
    HookSiteIndex& index_;
    std::uint8_t* room_;
    const CallTargets* targets_;
};

} // namespace vftr::patch
