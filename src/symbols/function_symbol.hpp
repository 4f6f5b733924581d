// SPDX-License-Identifier: BSD-3-Clause
//
// Defines which symbols count as functions: FUNC and IFUNC symbols, and untyped labels (assembler), if they are in an
// executable section and have a name that is not a mark for disassemblers.
#pragma once

#include "symbols/symbol_section.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace vftr::symbols {

struct FunctionSymbol {
    // A range within one section. A symbol without a size extends to the section's end.
    std::uint64_t start, end;
    // The lower, the better among the names of one address: functions before labels, then global before weak before
    // local.
    std::uint8_t rank;
    bool sized;

    static constexpr std::uint8_t weak_rank = 1, local_rank = 2;
    static constexpr std::uint8_t label_rank = 4; // is added to the rank of labels
    bool is_label() const { return rank >= label_rank; }
    bool is_local() const { return rank % label_rank == local_rank; }
};

// The executable sections of a file.
class CodeSections {
public:
    explicit CodeSections(const ElfFile& file);
    // Returns nullopt if the symbol is not a function. Its name is not checked.
    std::optional<FunctionSymbol> function(const Symbol& symbol) const;

private:
    static std::optional<std::uint8_t> rank_of(const Symbol& symbol);

    struct Section {
        std::uint64_t start, end; // an empty range: not executable
    };
    std::vector<Section> sections_;
    bool thumb_ = false; // 32-bit ARM stores the instruction set in the lowest bit of an address
};

inline std::optional<std::uint8_t> CodeSections::rank_of(const Symbol& symbol) {
    std::uint8_t rank = 0;
    switch (symbol.type) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        break;
    case STT_NOTYPE:
        rank = FunctionSymbol::label_rank;
        break;
    default:
        return std::nullopt;
    }
    switch (symbol.binding) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE:
        return rank;
    case STB_WEAK:
        return rank + FunctionSymbol::weak_rank;
    default:
        return rank + FunctionSymbol::local_rank;
    }
}

inline std::optional<FunctionSymbol> CodeSections::function(const Symbol& symbol) const {
    const auto rank = rank_of(symbol);
    if (!rank || !symbol.defined || symbol.section >= sections_.size())
        return std::nullopt;
    const Section& code = sections_[symbol.section];
    const std::uint64_t start = thumb_ ? symbol.value & ~1ull : symbol.value;
    if (start < code.start || start >= code.end)
        return std::nullopt;
    const std::uint64_t room = code.end - start;
    const bool sized = symbol.size != 0;
    return FunctionSymbol{
        .start = start, .end = start + (sized ? std::min(symbol.size, room) : room), .rank = *rank, .sized = sized};
}

// Whether the name is not empty and is not $a, $d, $t or $x, also with a suffix ($d.realdata), which mark code and data
// for disassemblers.
bool is_function_name(std::string_view name);

} // namespace vftr::symbols
