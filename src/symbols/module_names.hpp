// SPDX-License-Identifier: BSD-3-Clause
//
// One symbol table per file for all modules that were loaded from it, whatever their addresses.
#pragma once

#include "symbols/source_lines.hpp"
#include "symbols/symbols.hpp"

#include <map>

namespace vftr::symbols {

// Keeps every table it opened. One thread at a time.
class ModuleNames {
public:
    explicit ModuleNames(NameOptions options, NameSources sources = {}) : options_(options), sources_(std::move(sources)) {}

    // "module+0xoffset" where the symbol is not known.
    std::string name(const Module& module, std::uint64_t address);
    // As Resolver::call_place.
    std::string call_place(const Module& module, std::uint64_t return_address);
    const SourceLines& lines(const Module& module);

private:
    using Identity = std::pair<std::string, std::string>; // path, key

    SymbolTable& table_of(const Module& module);

    NameOptions options_;
    NameSources sources_;
    std::map<Identity, SymbolTable> tables_;
    std::map<Identity, SourceLines> lines_;
};

} // namespace vftr::symbols
