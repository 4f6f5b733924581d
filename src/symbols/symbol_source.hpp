// SPDX-License-Identifier: BSD-3-Clause
//
// One symbol table as a source of functions, whose names are read only where they are wanted.
#pragma once

#include "symbols/function_symbol.hpp"
#include "symbols/symbol_names.hpp"

#include <gelf.h>
#include <string_view>

namespace vftr::symbols {

// The ElfFile must outlive it. One thread at a time.
class SymbolSource {
public:
    SymbolSource(const ElfFile& file, const SymbolSection& section)
        : section_(section), code_(file), names_(file, section.names()) {}

    struct Function {
        FunctionSymbol symbol;
        std::uint32_t name;        // for name()
        std::uint32_t source_file; // likewise, of the source file that a local function is of; 0: not known
    };
    // visit(function) for each in the order of the file, until that is false.
    template <class Visit>
    void for_each_function(Visit visit) const {
        std::uint32_t source_file = 0;
        section_.for_each([&](const Symbol& symbol) {
            if (symbol.type == STT_FILE) {
                source_file = symbol.name;
                return true;
            }
            const auto function = code_.function(symbol);
            return !function || visit(Function{*function, symbol.name, symbol.binding == STB_LOCAL ? source_file : 0});
        });
    }

    // Valid until the next call of any of these.
    std::string_view name(std::uint32_t offset) { return names_.at(offset); }
    // As SymbolNames::for_each.
    template <class Visit>
    void for_each_name(Visit visit) {
        names_.for_each(visit);
    }
    // Whether the function is local to a source file that is not Fortran.
    bool is_foreign(const Function& function);
    // Whether the object holds Fortran (fortran_traces.hpp). Reads all names, up to the first that tells.
    bool has_fortran();

    std::uint64_t bytes() const { return section_.bytes(); } // of the table and its names

private:
    SymbolSection section_;
    CodeSections code_;
    SymbolNames names_;
};

} // namespace vftr::symbols
