// SPDX-License-Identifier: BSD-3-Clause
//
// A symbol table as a source of functions. Their names are read only when they are needed.
#pragma once

#include "symbols/function_symbol.hpp"
#include "symbols/symbol_names.hpp"

#include <gelf.h>
#include <string_view>

namespace vftr::symbols {

// The ElfFile must outlive it. Only one thread at a time may use it.
class SymbolSource {
public:
    SymbolSource(const ElfFile& file, const SymbolSection& section)
        : section_(section), code_(file), names_(file, section.names()) {}

    struct Function {
        FunctionSymbol symbol;
        std::uint32_t name; // argument for name()
        // Argument for name(): the source file to which a local function belongs; 0: not known.
        std::uint32_t source_file;
    };
    // Calls visit(function) for each function in the order of the file, until it returns false.
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

    // The result is valid until the next call of any of these functions.
    std::string_view name(std::uint32_t offset) { return names_.at(offset); }
    // See SymbolNames::for_each.
    template <class Visit>
    void for_each_name(Visit visit) {
        names_.for_each(visit);
    }
    // Whether the function is local to a source file that is not Fortran.
    bool is_foreign(const Function& function);
    // Whether the object contains Fortran (fortran_traces.hpp). It reads the names up to the first one that shows this.
    bool has_fortran();

    std::uint64_t bytes() const { return section_.bytes(); } // size of the table and its names

private:
    SymbolSection section_;
    CodeSections code_;
    SymbolNames names_;
};

} // namespace vftr::symbols
