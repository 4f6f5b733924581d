// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/hex.hpp"
#include "symbols/module_names.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace vftr::symbols {

struct Resolver::Impl {
    std::vector<Module> modules;
    std::unordered_map<std::uint32_t, std::size_t> by_id;
    ModuleNames names;

    // If several modules were at this address (an object was unloaded and another one took its location), returns the
    // latest.
    const Module* containing(std::uint64_t address) const {
        const auto found = std::find_if(modules.rbegin(), modules.rend(), [address](const Module& module) {
            return address >= module.start && address < module.end;
        });
        return found == modules.rend() ? nullptr : &*found;
    }

    const Module* module_of(std::uint64_t address, std::uint32_t id) const {
        const auto found = id == 0 ? by_id.end() : by_id.find(id);
        return found == by_id.end() ? containing(address) : &modules[found->second];
    }
};

Resolver::Resolver(std::vector<Module> modules, NameOptions options, NameSources sources)
    : impl_(std::make_unique<Impl>(Impl{std::move(modules), {}, ModuleNames(options, std::move(sources))})) {
    for (std::size_t i = 0; i < impl_->modules.size(); ++i)
        impl_->by_id[impl_->modules[i].id] = i;
    impl_->names.distinguish(impl_->modules);
}

Resolver::~Resolver() = default;
Resolver::Resolver(Resolver&&) noexcept = default;
Resolver& Resolver::operator=(Resolver&&) noexcept = default;

std::string Resolver::name(std::uint64_t address, std::uint32_t module_id) {
    const Module* module = impl_->module_of(address, module_id);
    return module == nullptr ? hex_of(address) : impl_->names.name(*module, address);
}

std::string Resolver::distinct_name(std::uint64_t address, std::uint32_t module_id) {
    const Module* module = impl_->module_of(address, module_id);
    return module == nullptr ? hex_of(address) : impl_->names.distinct_name(*module, address);
}

std::string Resolver::qualified_name(std::uint64_t address, std::uint32_t module_id) {
    const Module* module = impl_->module_of(address, module_id);
    return module == nullptr ? hex_of(address) : impl_->names.qualified_name(*module, address);
}

void Resolver::expect(const std::vector<Location>& locations) {
    std::unordered_map<const Module*, std::vector<std::uint64_t>> addresses;
    for (const Location& location : locations)
        if (const Module* module = impl_->module_of(location.address, location.module_id))
            addresses[module].push_back(location.address - module->bias);
    for (const auto& [module, of_module] : addresses)
        impl_->names.expect(*module, of_module);
}

std::string Resolver::call_location(std::uint64_t return_address, std::uint32_t module_id) {
    const Module* module = impl_->module_of(return_address - 1, module_id);
    return module == nullptr ? hex_of(return_address) : impl_->names.call_location(*module, return_address);
}

std::string Resolver::qualified_call_location(std::uint64_t return_address, std::uint32_t module_id) {
    const Module* module = impl_->module_of(return_address - 1, module_id);
    return module == nullptr ? hex_of(return_address) : impl_->names.qualified_call_location(*module, return_address);
}

std::vector<std::string> Resolver::inlined(std::uint64_t address, std::uint32_t module_id, std::uint64_t largest) {
    const Module* module = impl_->module_of(address, module_id);
    return module == nullptr ? std::vector<std::string>() : impl_->names.inlined(*module, address, largest);
}

std::optional<std::string_view> Resolver::stub_callee(std::uint64_t address, std::uint32_t module_id) {
    const Module* module = impl_->module_of(address, module_id);
    return module == nullptr ? std::nullopt : impl_->names.stub_callee(*module, address);
}

} // namespace vftr::symbols
