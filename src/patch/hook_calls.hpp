// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out which call targets are hooks of vftrace: the hooks themselves (static library), stubs of a procedure
// linkage table that jump to them (call hook@PLT), and the slots through which such stubs and the calls of -fno-plt go.
// The contents of a slot decide, so calls that end in the hooks of another library are not changed.
//
// A slot that has not been used yet may point to the dynamic linker (lazy binding). Its relocation names the symbol
// that it is for. If the slot of the same object's other hook points to vftrace, this one will, too. This matters
// because a function may be excluded before any function of its object has returned.
#pragma once

#include "patch/process_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace vftr::patch {

struct Hooks {
    std::uint64_t enter = 0, exit = 0;
};

class HookCalls {
public:
    struct Known {
        std::uint64_t target;
        bool hook;
    };
    // `some` is a cache for results; it must be zeroed.
    HookCalls(const ProcessMemory& memory, Hooks hooks, std::span<Known> some)
        : memory_(memory), hooks_(hooks), known_(some) {}

    bool is_hook(std::uint64_t address) const { return address == hooks_.enter || address == hooks_.exit; }
    bool leads_to_hook(std::uint64_t target);
    // Whether the instruction before this address is a call of a hook.
    bool returns_to(std::uint64_t address);
    bool is_hook_slot(std::uint64_t slot);
    // Whether the code at this address is a stub, which does nothing but jump through some slot.
    bool is_stub(std::uint64_t address) const { return slot_of_stub(address).has_value(); }
    // Whether a slot was found that is not bound yet and may become that of a hook.
    bool met_unbound() const { return unbound_; }

private:
    std::optional<std::uint64_t> slot_of_stub(std::uint64_t target) const;
    bool is_unbound_hook(std::uint64_t slot, std::uint64_t content);

    const ProcessMemory& memory_;
    Hooks hooks_;
    bool unbound_ = false;
    std::span<Known> known_;
};

// Returns the address with these low 32 bits that is nearest to `anchor`.
constexpr std::uint64_t address_near(std::uint64_t anchor, std::uint32_t low) {
    return anchor + static_cast<std::uint64_t>(
                        std::int64_t{static_cast<std::int32_t>(low - static_cast<std::uint32_t>(anchor))});
}

} // namespace vftr::patch
