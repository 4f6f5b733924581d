// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_source.hpp"

#include "symbols/fortran_traces.hpp"

namespace vftr::symbols {

bool SymbolSource::is_foreign(const Function& function) {
    const std::string_view file = name(function.source_file);
    return !file.empty() && !is_fortran_source(file);
}

bool SymbolSource::has_fortran() {
    bool found = false;
    section_.for_each([&](const Symbol& symbol) {
        if (symbol.type == STT_FILE)
            found = is_fortran_source(name(symbol.name));
        else if (!symbol.defined || code_.function(symbol))
            found = is_fortran_runtime(name(symbol.name));
        return !found;
    });
    return found;
}

} // namespace vftr::symbols
