// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the instructions in a piece of machine code that can be reached otherwise than from the preceding instruction,
// as far as this is possible without knowing the contents of registers (for that: flow.hpp). It also collects the
// values to which registers are ever set.
//
// Other pieces of code may jump into the middle of this one: parts of the same function that the compiler has separated
// from it (f.cold). They are found by following this piece's jumps and landing pads, and those of the pieces that these
// lead to. Tail-called functions are found in the same way, which is harmless.
#pragma once

#include "patch/code.hpp"
#include "patch/hook_calls.hpp"
#include "patch/offset_set.hpp"
#include "patch/registers.hpp"

#include <cstdint>
#include <optional>

namespace vftr::patch {

class ControlFlowGraph {
public:
    struct Space {
        OffsetSet instructions, targets, entered;
    };

    // `space` is overwritten.
    ControlFlowGraph(const Code& code, const ProcessMemory& memory, Surroundings& around, HookCalls& calls,
                     Space& space)
        : code_(code), memory_(memory), around_(around), calls_(calls), space_(space) {}

    // Builds the graph. Returns false if the code cannot be decoded, so that the bytes may not be the instructions that
    // are executed.
    bool take();
    // Whether all entries into this piece are known, apart from its own jumps through registers.
    bool is_complete() const { return complete_; }

    // True if straight-line code begins here.
    bool begins_block(std::uint64_t place) const { return space_.targets.has(place); }
    // True if control can come here from a point at which the contents of the registers are not known.
    bool entered_from_elsewhere(std::uint64_t place) const { return space_.entered.has(place); }
    // The registers that are known at any point: those that calls preserve and that are set to one value only, wherever
    // they are set. (Otherwise they hold the caller's value, which is not used.)
    Registers anywhere() const;
    // The value that a Loads instruction finds in memory now.
    std::optional<std::uint64_t> loaded(const Instruction& each) const;

    // Adds `address` as a possible target of a jump through a table. Returns false if it cannot be one. Sets is_new if
    // it is a new start of straight-line code.
    bool add_case(std::uint64_t address, bool& is_new);

    OffsetSet& targets() { return space_.targets; }

private:
    // The values of the registers that calls preserve.
    struct ConstantRegisters {
        enum { NotSet, Same, Differs } is[RegisterCount] = {};
        std::uint64_t value[RegisterCount] = {};
        void add(Register reg, std::optional<std::uint64_t> another);
        void add(const ConstantRegisters& other);
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
    void note_values(const Instruction& each, ConstantRegisters& throughout) const;
    // Notes an entry from outside of this piece, or on a path that the data flow analysis does not follow.
    void enter(std::uint64_t address);
    void lead_out(std::uint64_t address);
    void look_at_pads(const Code& piece);
    void look_at_parts();
    void look_at(const Code& part);
    void look_at_step(const Code& part, const Instruction& each);

    const Code& code_;
    const ProcessMemory& memory_;
    Surroundings& around_;
    HookCalls& calls_;
    Space& space_;
    bool complete_ = true, returned_ = false;
    ConstantRegisters throughout_, elsewhere_;
    Extent parts_[MaxParts]; // other pieces that this one leads to
    std::size_t part_count_ = 0, looked_at_ = 0;
    // Cache of values in memory, because reading one is a system call.
    mutable Loaded loaded_[64];
};

} // namespace vftr::patch
