// SPDX-License-Identifier: BSD-3-Clause
//
// What counts as a function: FUNC and IFUNC symbols, and untyped labels (assembler), that lie in executable sections and have a name which is
// not a mark for disassemblers.
#pragma once

#include "symbols/symbol_section.hpp"

#include <string_view>
#include <vector>

namespace vftr::symbols {

struct FunctionSymbol {
    std::uint64_t start, end; // none reaches beyond its section; one without a size reaches to the section's end
    std::uint8_t rank;        // the lower, the better among names of one address: functions before labels, global before weak before local
    bool sized;

    static constexpr std::uint8_t label_rank = 4; // added for labels
    bool is_label() const { return rank >= label_rank; }
};

// The executable sections of a file.
class CodeSections {
public:
    explicit CodeSections(const ElfFile& file);
    // nullopt: the symbol is no function. Its name is not looked at.
    std::optional<FunctionSymbol> function(const Symbol& symbol) const;

private:
    struct Section {
        std::uint64_t start, end; // end ≤ start: not executable
    };
    std::vector<Section> sections_;
    bool thumb_ = false; // 32-bit ARM keeps the instruction set in the lowest address bit
};

// Not empty, and not $a, $d, $t or $x, also with a suffix ($d.realdata): these mark code and data for a disassembler.
bool is_function_name(std::string_view name);

} // namespace vftr::symbols
