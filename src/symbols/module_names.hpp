// SPDX-License-Identifier: BSD-3-Clause
//
// Looks up names in one symbol table per file for all modules that were loaded from that file, whatever their
// addresses.
#pragma once

#include "symbols/linkage_stubs.hpp"
#include "symbols/source_lines.hpp"
#include "symbols/symbols.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vftr::symbols {

// It keeps every table that it has opened. Only one thread at a time may use it.
class ModuleNames {
public:
    explicit ModuleNames(NameOptions options, NameSources sources = {})
        : options_(options), sources_(std::move(sources)) {}

    // From now on, the names of functions without symbols distinguish those of these modules that have the same file
    // name.
    void distinguish(const std::vector<Module>& modules);
    // See SymbolTable::expect. It does not open files.
    void expect(const Module& module, const std::vector<std::uint64_t>& file_addresses);
    // Returns "module+0xoffset" if the symbol is not known. The name of an internal procedure of Fortran is preceded by
    // that of its host if the debug information contains it.
    std::string name(const Module& module, std::uint64_t address);
    // See Resolver::distinct_name.
    std::string distinct_name(const Module& module, std::uint64_t address);
    // See Resolver::qualified_name.
    std::string qualified_name(const Module& module, std::uint64_t address);
    // Returns the name that earlier versions displayed (name_clean.hpp), or an empty string if that is the same.
    std::string former_name(const Module& module, std::uint64_t address);
    // See Resolver::call_location.
    std::string call_location(const Module& module, std::uint64_t return_address);
    std::string qualified_call_location(const Module& module, std::uint64_t return_address);
    // See Resolver::inlined.
    std::vector<std::string> inlined(const Module& module, std::uint64_t address, std::uint64_t largest);
    const SourceLines& lines(const Module& module);
    // See Resolver::stub_callee.
    std::optional<std::string_view> stub_callee(const Module& module, std::uint64_t address);

private:
    using Identity = std::pair<std::string, std::string>; // path, key

    struct Known {
        SymbolTable table;
        std::string object; // qualifier of its functions
    };

    Known& known(const Module& module);
    SymbolTable& table_of(const Module& module) { return known(module).table; }
    std::string_view object_of(const Module& module, const std::optional<SymbolTable::Found>& function);
    enum class Distinct { No, Yes }; // distinguish the function from others with its name in the object
    std::string name(const Module& module, std::uint64_t address, const std::optional<SymbolTable::Found>& function,
                     Distinct distinct);
    std::string host_of(const Module& module, const SymbolTable::Found& function);
    std::string offset_in(const Module& module, std::uint64_t address) const;

    NameOptions options_;
    NameSources sources_;
    std::set<std::string> shared_; // labels that several modules have
    std::map<Identity, Known> known_;
    Module latest_; // the module of the last query, which is mostly queried again
    Known* known_latest_ = nullptr;
    std::map<Identity, std::vector<std::uint64_t>> expected_; // addresses for tables that are not open yet
    std::map<Identity, SourceLines> lines_;
    std::map<Identity, std::uint64_t> debug_sizes_; // bytes
    std::map<Identity, LinkageStubs> stubs_;
};

} // namespace vftr::symbols
