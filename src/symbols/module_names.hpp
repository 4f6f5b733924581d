// SPDX-License-Identifier: BSD-3-Clause
//
// One symbol table per file for all modules that were loaded from it, whatever their addresses.
#pragma once

#include "symbols/source_lines.hpp"
#include "symbols/symbols.hpp"

#include <map>
#include <set>
#include <vector>

namespace vftr::symbols {

// Keeps every table it opened. One thread at a time.
class ModuleNames {
public:
    explicit ModuleNames(NameOptions options, NameSources sources = {})
        : options_(options), sources_(std::move(sources)) {}

    // Modules of one file name among these get names that tell them apart.
    void distinguish(const std::vector<Module>& modules);
    // As SymbolTable::expect. Opens no file.
    void expect(const Module& module, const std::vector<std::uint64_t>& file_addresses);
    // "module+0xoffset" where the symbol is not known. An internal procedure of Fortran's has its host before it, where
    // the debug information tells.
    std::string name(const Module& module, std::uint64_t address);
    // As Resolver::distinct_name.
    std::string distinct_name(const Module& module, std::uint64_t address);
    // As Resolver::qualified_name.
    std::string qualified_name(const Module& module, std::uint64_t address);
    // As readers had it before (name_clean.hpp); empty where that is the same.
    std::string former_name(const Module& module, std::uint64_t address);
    // As Resolver::call_place.
    std::string call_place(const Module& module, std::uint64_t return_address);
    std::string qualified_call_place(const Module& module, std::uint64_t return_address);
    const SourceLines& lines(const Module& module);

private:
    using Identity = std::pair<std::string, std::string>; // path, key

    struct Known {
        SymbolTable table;
        std::string object; // what functions are qualified by; empty for the executable
    };

    Known& known(const Module& module);
    SymbolTable& table_of(const Module& module) { return known(module).table; }
    std::string_view object_of(const Module& module, const std::optional<SymbolTable::Found>& function);
    enum class Apart { No, Yes }; // from others of its name in the object
    std::string name(const Module& module, std::uint64_t address, const std::optional<SymbolTable::Found>& function,
                     Apart apart);
    std::string host_of(const Module& module, const SymbolTable::Found& function);
    std::string offset_in(const Module& module, std::uint64_t address) const;

    NameOptions options_;
    NameSources sources_;
    std::set<std::string> shared_; // labels of several modules
    std::map<Identity, Known> known_;
    Module latest_; // that was asked for last, as it is mostly asked for again
    Known* known_latest_ = nullptr;
    std::map<Identity, std::vector<std::uint64_t>> expected_; // of tables that are not open yet
    std::map<Identity, SourceLines> lines_;
};

} // namespace vftr::symbols
