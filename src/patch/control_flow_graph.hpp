// SPDX-License-Identifier: BSD-3-Clause
//
// Which places in a piece of text are reached otherwise than from the instruction before, as far as that can be told
// without knowing what registers hold (for that: flow.hpp), and what registers are ever set to.
//
// Other pieces of text may lead into the midst of this one: those that compilers have put apart from it (f.cold). They
// are what this text leads to: by jumps, as landing pads, or again from there. Functions that are jumped to as a last
// act are among them, and do no harm.
#pragma once

#include "patch/code.hpp"
#include "patch/hook_calls.hpp"
#include "patch/places.hpp"
#include "patch/registers.hpp"

#include <cstdint>
#include <optional>

namespace vftr::patch {

class ControlFlowGraph {
public:
    struct Space {
        Places instructions, targets, entered;
    };

    // The space is written to.
    ControlFlowGraph(const Code& code, const Text& text, Surroundings& around, HookCalls& calls, Space& space)
        : code_(code), text_(text), around_(around), calls_(calls), space_(space) {}

    // false: the text is not understood, so what is read may not be what is executed.
    bool take();
    // Of all that lead into this text, except for its own jumps through registers.
    bool is_complete() const { return complete_; }

    // Straight lines begin here.
    bool is_target(std::uint64_t place) const { return space_.targets.has(place); }
    // From a place at which we do not know what registers hold.
    bool is_entered(std::uint64_t place) const { return space_.entered.has(place); }
    // What is known of registers at any place: those that calls leave alone, and that are set to one value wherever
    // they are set. (Where they have another one, it is the caller's, and nothing is done with it.)
    Registers anywhere() const;
    // What an instruction that Loads finds now.
    std::optional<std::uint64_t> loaded(const Instruction& each) const;

    // A jump through a table may lead to the address. false: it cannot. is_new: straight lines begin at more places
    // now.
    bool add_case(std::uint64_t address, bool& is_new);

    Places& targets() { return space_.targets; }

private:
    // Values of the registers that calls leave alone.
    struct Throughout {
        enum { NotSet, Same, Differs } is[RegisterCount] = {};
        std::uint64_t value[RegisterCount] = {};
        void add(Register reg, std::optional<std::uint64_t> another);
        void add(const Throughout& other);
        std::optional<std::uint64_t> only(Register reg) const {
            return is[reg] == Same ? std::optional(value[reg]) : std::nullopt;
        }
    };
    static constexpr std::size_t MaxParts = 24;
    struct Loaded {
        std::uint64_t from = 0;
        std::optional<std::uint64_t> value;
    };

    bool read();
    void note_values(const Instruction& each, Throughout& throughout) const;
    // From elsewhere, or by a way that the flow of values does not follow.
    void enter(std::uint64_t address);
    void lead_out(std::uint64_t address);
    void look_at_pads(const Code& piece);
    void look_at_parts();
    void look_at(const Code& part);
    void look_at_step(const Code& part, const Instruction& each);

    const Code& code_;
    const Text& text_;
    Surroundings& around_;
    HookCalls& calls_;
    Space& space_;
    bool complete_ = true, returned_ = false;
    Throughout throughout_, elsewhere_;
    Extent parts_[MaxParts]; // other pieces
    std::size_t part_count_ = 0, looked_at_ = 0;
    mutable Loaded loaded_[64]; // some that were asked for: reading is a system call
};

} // namespace vftr::patch
