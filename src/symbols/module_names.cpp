// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/module_names.hpp"

#include "base/foreign_text.hpp"
#include "symbols/hex.hpp"
#include "symbols/identity.hpp"
#include "symbols/module_label.hpp"
#include "symbols/name_clean.hpp"
#include "symbols/qualified_name.hpp"
#include "symbols/shared_names.hpp"

#include <filesystem>
#include <utility>

namespace vftr::symbols {

std::string ModuleNames::offset_in(const Module& module, std::uint64_t address) const {
    const std::string label = options_.module_ids == ModuleIds::Always || shared_.contains(module_label(module))
                                  ? long_module_label(module)
                                  : module_label(module);
    return label.empty() ? hex_of(address) : label + "+" + hex_of(address - module.bias);
}

void ModuleNames::distinguish(const std::vector<Module>& modules) {
    std::map<std::string, std::string> first; // long label by short label
    for (const Module& module : modules)
        if (const auto [place, is_new] = first.try_emplace(module_label(module), long_module_label(module));
            !is_new && place->second != long_module_label(module))
            shared_.insert(place->first);
}

ModuleNames::Known& ModuleNames::known(const Module& module) {
    if (known_latest_ && latest_ == module)
        return *known_latest_;
    Identity identity{module.path, module_key(module)};
    auto known = known_.find(identity);
    if (known == known_.end()) {
        known =
            known_
                .emplace(std::move(identity), Known{SymbolTable(module, sources_), object_qualifier(module, options_)})
                .first;
        if (const auto expected = expected_.extract(known->first))
            known->second.table.expect(expected.mapped());
    }
    latest_ = module;
    return *(known_latest_ = &known->second);
}

void ModuleNames::expect(const Module& module, const std::vector<std::uint64_t>& file_addresses) {
    Identity identity{module.path, module_key(module)};
    if (const auto known = known_.find(identity); known != known_.end())
        return known->second.table.expect(file_addresses);
    auto& expected = expected_[std::move(identity)];
    expected.insert(expected.end(), file_addresses.begin(), file_addresses.end());
}

// Returns the host of an internal procedure of Fortran, if it is known.
std::string ModuleNames::host_of(const Module& module, const SymbolTable::Found& function) {
    return function.fortran && is_internal_procedure(function.name) ? lines(module).host(function.start)
                                                                    : std::string();
}

std::string ModuleNames::name(const Module& module, std::uint64_t address) {
    return name(module, address, table_of(module).function(address - module.bias), Distinct::No);
}

std::string ModuleNames::name(const Module& module, std::uint64_t address,
                              const std::optional<SymbolTable::Found>& function, Distinct distinct) {
    std::string name = function ? clean_name(function->name, options_, function->fortran) : std::string();
    const std::string host = function ? host_of(module, *function) : std::string();
    if (!host.empty())
        name = clean_name(host, options_, true) + "::" + name;
    if (name.empty())
        name = offset_in(module, address);
    // An internal procedure is distinguished by its host.
    return function && host.empty() && distinct == Distinct::Yes
               ? with_origin(std::move(name), base::foreign_text(table_of(module).origin(address - module.bias)))
               : name;
}

std::string ModuleNames::distinct_name(const Module& module, std::uint64_t address) {
    return name(module, address, table_of(module).function(address - module.bias), Distinct::Yes);
}

std::string_view ModuleNames::object_of(const Module& module, const std::optional<SymbolTable::Found>& function) {
    return function && !function->weak ? std::string_view(known(module).object) : std::string_view();
}

std::string ModuleNames::qualified_name(const Module& module, std::uint64_t address) {
    const auto function = table_of(module).function(address - module.bias);
    return qualified(name(module, address, function, Distinct::Yes), object_of(module, function));
}

std::string ModuleNames::former_name(const Module& module, std::uint64_t address) {
    const auto found = table_of(module).function(address - module.bias);
    if (!found)
        return {};
    if (found->fortran && is_internal_procedure(found->name))
        return clean_name(found->name, options_, true);
    return symbols::former_name(found->name, options_, found->fortran);
}

const SourceLines& ModuleNames::lines(const Module& module) {
    Identity identity{module.path, module_key(module)};
    auto lines = lines_.find(identity);
    if (lines != lines_.end() && !lines->second.is_here()) {
        lines_.erase(lines);
        lines = lines_.end();
    }
    if (lines == lines_.end())
        lines = lines_.emplace(std::move(identity), SourceLines(module, sources_.process)).first;
    return lines->second;
}

std::optional<std::string_view> ModuleNames::stub_callee(const Module& module, std::uint64_t address) {
    Identity identity{module.path, module_key(module)};
    auto stubs = stubs_.find(identity);
    if (stubs == stubs_.end())
        stubs = stubs_.emplace(std::move(identity), LinkageStubs(module, sources_.process)).first;
    return stubs->second.callee(address - module.bias);
}

std::vector<std::string> ModuleNames::inlined(const Module& module, std::uint64_t address, std::uint64_t largest) {
    const auto [size, is_new] = debug_sizes_.try_emplace(Identity{module.path, module_key(module)});
    if (is_new)
        size->second = SourceLines::size_of(module, sources_.process);
    if (size->second == 0 || size->second > largest)
        return {};
    const InlinedFunctions found = lines(module).inlined(address - module.bias);
    std::vector<std::string> names;
    for (const std::string& symbol : found.symbols) {
        const std::string name = clean_name(symbol, options_, found.fortran);
        names.push_back(name);
        if (const std::string& object = known(module).object; !object.empty())
            names.push_back(qualified(name, object));
    }
    return names;
}

// The call is the instruction before the return address.
std::string ModuleNames::call_location(const Module& module, std::uint64_t return_address) {
    const std::uint64_t after = return_address - module.bias;
    const auto line = lines(module).find(after - 1);
    const auto symbol = table_of(module).function(after - 1);
    if (line && !line->function.empty())
        return clean_name(line->function, options_, line->fortran) + ":" + std::to_string(line->line);
    if (!symbol)
        return offset_in(module, return_address);
    const std::string_view user = without_outlining(symbol->name);
    const std::string function = clean_name(user, options_, symbol->fortran);
    if (line)
        return function + ":" + std::to_string(line->line);
    // Functions that compilers have split off keep their own names here.
    return function + base::foreign_text(std::string(symbol->name.substr(user.size()))) + "+" +
           hex_of(after - symbol->start);
}

std::string ModuleNames::qualified_call_location(const Module& module, std::uint64_t return_address) {
    const std::uint64_t call = return_address - 1 - module.bias;
    if (lines(module).find(call))
        if (const auto place = lines(module).place(call))
            return qualified(call_location(module, return_address),
                             base::foreign_text(std::filesystem::path(place->file).lexically_normal().string()));
    const auto symbol = table_of(module).function(call);
    return qualified(with_origin(call_location(module, return_address),
                                 symbol ? base::foreign_text(table_of(module).origin(call)) : std::string()),
                     object_of(module, symbol));
}

} // namespace vftr::symbols
