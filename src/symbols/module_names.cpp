// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/module_names.hpp"

#include "base/foreign_text.hpp"
#include "symbols/hex.hpp"
#include "symbols/identity.hpp"
#include "symbols/module_label.hpp"
#include "symbols/name_clean.hpp"
#include "symbols/shared_names.hpp"

namespace vftr::symbols {

std::string ModuleNames::offset_in(const Module& module, std::uint64_t address) const {
    const std::string label = options_.module_ids == ModuleIds::Always || shared_.contains(module_label(module)) ? long_module_label(module)
                                                                                                                  : module_label(module);
    return label.empty() ? hex_of(address) : label + "+" + hex_of(address - module.bias);
}

void ModuleNames::tell_apart(const std::vector<Module>& modules) {
    std::map<std::string, std::string> first; // by label
    for (const Module& module : modules)
        if (const auto [place, is_new] = first.try_emplace(module_label(module), long_module_label(module));
            !is_new && place->second != long_module_label(module))
            shared_.insert(place->first);
}

SymbolTable& ModuleNames::table_of(const Module& module) {
    if (table_of_latest_ && latest_ == module)
        return *table_of_latest_;
    Identity identity{module.path, module_key(module)};
    auto table = tables_.find(identity);
    if (table == tables_.end()) {
        table = tables_.emplace(std::move(identity), SymbolTable(module, sources_)).first;
        if (const auto expected = expected_.extract(table->first))
            table->second.expect(expected.mapped());
    }
    latest_ = module;
    return *(table_of_latest_ = &table->second);
}

void ModuleNames::expect(const Module& module, const std::vector<std::uint64_t>& file_addresses) {
    Identity identity{module.path, module_key(module)};
    if (const auto table = tables_.find(identity); table != tables_.end())
        return table->second.expect(file_addresses);
    auto& expected = expected_[std::move(identity)];
    expected.insert(expected.end(), file_addresses.begin(), file_addresses.end());
}

// Of an internal procedure of Fortran's, if it is known.
std::string ModuleNames::host_of(const Module& module, const SymbolTable::Found& function) {
    return function.fortran && is_internal_procedure(function.name) ? lines(module).host(function.start) : std::string();
}

std::string ModuleNames::name(const Module& module, std::uint64_t address) {
    const auto found = table_of(module).function(address - module.bias);
    std::string name = found ? clean_name(found->name, options_, found->fortran) : std::string();
    if (found)
        if (const std::string host = host_of(module, *found); !host.empty())
            name = clean_name(host, options_, true) + "::" + name;
    return name.empty() ? offset_in(module, address) : name;
}

// An internal procedure is told apart by its host.
std::string ModuleNames::distinct_name(const Module& module, std::uint64_t address) {
    const auto found = table_of(module).function(address - module.bias);
    const bool shared = found && host_of(module, *found).empty();
    return with_origin(name(module, address), shared ? table_of(module).origin(address - module.bias) : std::string_view());
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
    if (lines == lines_.end())
        lines = lines_.emplace(std::move(identity), SourceLines(module, sources_.process)).first;
    return lines->second;
}

// The call is the instruction before the one that it returns to.
std::string ModuleNames::call_place(const Module& module, std::uint64_t return_address) {
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
    // What compilers have made of a function's parts stays apart.
    return function + base::foreign_text(std::string(symbol->name.substr(user.size()))) + "+" + hex_of(after - symbol->start);
}

} // namespace vftr::symbols
