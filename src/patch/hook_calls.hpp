// SPDX-License-Identifier: BSD-3-Clause
//
// Which addresses that a call may go to are our hooks: the hooks themselves (static library), stubs of a procedure
// linkage table that jump to them (call hook@PLT), and the slots that such stubs and calls of -fno-plt go through. What
// a slot holds decides; so calls that end in another library's hooks stay.
//
// A slot that nobody has gone through yet may lead to the dynamic linker (lazy binding). Its relocation says which name
// it is for; and where the slot of this very object's other hook leads to ours, this one will: a function may be
// excluded before any function of its object has ended.
#pragma once

#include "patch/text_writer.hpp"

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
    // some: memory for answers, all 0.
    HookCalls(const Text& text, Hooks hooks, std::span<Known> some) : text_(text), hooks_(hooks), known_(some) {}

    bool is_hook(std::uint64_t address) const { return address == hooks_.enter || address == hooks_.exit; }
    bool leads_to_hook(std::uint64_t target);
    // Whether a call of a hook returns to this address.
    bool returns_to(std::uint64_t address);
    bool is_hook_slot(std::uint64_t slot);
    // Whether what is there does nothing but jump through a slot, whichever.
    bool is_stub(std::uint64_t address) const { return slot_of_stub(address).has_value(); }
    // A slot was met that may become a hook's.
    bool met_unbound() const { return unbound_; }

private:
    std::optional<std::uint64_t> slot_of_stub(std::uint64_t target) const;
    bool is_unbound_hook(std::uint64_t slot, std::uint64_t content);

    const Text& text_;
    Hooks hooks_;
    bool unbound_ = false;
    std::span<Known> known_;
};

// The address with these low bits that is nearest to `anchor`.
constexpr std::uint64_t address_near(std::uint64_t anchor, std::uint32_t low) {
    return anchor + static_cast<std::uint64_t>(
                        std::int64_t{static_cast<std::int32_t>(low - static_cast<std::uint32_t>(anchor))});
}

} // namespace vftr::patch
