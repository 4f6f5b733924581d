// SPDX-License-Identifier: BSD-3-Clause
//
// The known contents of the registers at a point of the code, whatever path led there.
#pragma once

#include "patch/instruction.hpp"

#include <optional>

namespace vftr::patch {

constexpr unsigned RegisterCount = 16;
// The calling convention of the System V ABI for AMD64.
constexpr RegisterSet kept_by_calls =
    set_of(Rbx) | set_of(Rsp) | set_of(Rbp) | set_of(R12) | set_of(R13) | set_of(R14) | set_of(R15);
constexpr RegisterSet changed_by_calls = static_cast<RegisterSet>(~kept_by_calls);

class Registers {
public:
    std::optional<std::uint64_t> operator[](Register reg) const { return constant(reg); }
    // Returns the address of the jump table from which the register's value was computed.
    std::optional<std::uint64_t> table(Register reg) const {
        return kinds_[reg] == ByTable ? std::optional(values_[reg]) : std::nullopt;
    }

    void forget(RegisterSet which) {
        for (unsigned reg = 0; reg < RegisterCount; ++reg)
            if (which & set_of(reg))
                kinds_[reg] = Unknown;
    }
    void set(Register reg, std::uint64_t value) { put(reg, Constant, value); }

    // Updates the contents for the effect of the instruction, given that control continues with the next one. `loaded`
    // is the value in memory at its target, if it Loads.
    void follow(const Instruction& each, std::optional<std::uint64_t> loaded) {
        const Registers before = *this;
        forget(each.written | (is_call(each.effect) ? changed_by_calls : RegisterSet{}));
        switch (each.effect) {
        case Effect::Sets:
            return set(each.reg, each.target);
        case Effect::Loads:
            return loaded ? set(each.reg, *loaded) : void();
        case Effect::Copies:
            return put(each.reg, before.kinds_[each.from], before.values_[each.from]);
        case Effect::LoadsEntry:
            return before.constant(each.from) ? put(each.reg, Entry, before.values_[each.from]) : void();
        case Effect::Adds:
            if (before.are_base_and_entry(each.reg, each.from) || before.are_base_and_entry(each.from, each.reg))
                put(each.reg, ByTable, before.values_[each.reg]);
            return;
        default:
            return;
        }
    }

    // Keeps only what both know. Returns true if this lost something.
    bool keep_common(const Registers& other) {
        bool less = false;
        for (unsigned reg = 0; reg < RegisterCount; ++reg)
            if (kinds_[reg] != Unknown && (kinds_[reg] != other.kinds_[reg] || values_[reg] != other.values_[reg])) {
                kinds_[reg] = Unknown;
                less = true;
            }
        return less;
    }

private:
    // Entry: the register holds an entry of the table at the value. ByTable: it holds the sum of the value and such an
    // entry.
    enum Kind : std::uint8_t { Unknown, Constant, Entry, ByTable };

    std::optional<std::uint64_t> constant(Register reg) const {
        return kinds_[reg] == Constant ? std::optional(values_[reg]) : std::nullopt;
    }
    bool are_base_and_entry(Register base, Register entry) const {
        return kinds_[base] == Constant && kinds_[entry] == Entry && values_[base] == values_[entry];
    }
    void put(Register reg, Kind kind, std::uint64_t value) {
        kinds_[reg] = kind;
        values_[reg] = value;
    }

    std::uint64_t values_[RegisterCount] = {};
    Kind kinds_[RegisterCount] = {};
};

} // namespace vftr::patch
