// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/module_names.hpp"

#include "symbols/hex.hpp"
#include "symbols/identity.hpp"
#include "symbols/printable.hpp"

namespace vftr::symbols {

namespace {

// The last part of the path; a label as it is.
std::string short_name(const std::string& path) {
    return printable(path.substr(path.rfind('/') + 1));
}

} // namespace

std::string ModuleNames::name(const Module& module, std::uint64_t address) {
    const std::uint64_t file_address = address - module.bias;
    Identity identity{module.path, module_key(module)};
    auto table = tables_.find(identity);
    if (table == tables_.end())
        table = tables_.emplace(std::move(identity), SymbolTable(module, sources_)).first;
    std::string name = table->second.clean(file_address, options_);
    if (!name.empty())
        return name;
    const std::string label = short_name(module.path);
    return label.empty() ? hex_of(address) : label + "+" + hex_of(file_address);
}

} // namespace vftr::symbols
