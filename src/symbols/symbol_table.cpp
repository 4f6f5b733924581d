// SPDX-License-Identifier: BSD-3-Clause
//
//
// The symbol store is asked first: one search in a small file instead of an index of a large one. The object itself is opened when an
// address is not found there and the store does not have all of its functions: nothing was stored, or it was stripped when it was.
#include "symbols/elf_symbols.hpp"
#include "symbols/name_clean.hpp"
#include "base/foreign_text.hpp"
#include "symbols/stored_symbols.hpp"

#include <new>

namespace vftr::symbols {

struct SymbolTable::Impl {
    using Found = SymbolTable::Found;

    Module module;
    std::int32_t process;
    std::optional<StoredSymbols> stored;
    std::optional<ElfSymbols> files; // once they have been asked for
    bool asked = false;
    std::string reason;

    const ElfSymbols* open_files();
    std::optional<Found> find(std::uint64_t address);
    bool usable();
};

const ElfSymbols* SymbolTable::Impl::open_files() {
    if (asked)
        return files ? &*files : nullptr;
    asked = true;
    try {
        files.emplace(module, process);
        reason = base::foreign_text(files->reason());
    } catch (const std::bad_alloc&) { // in the user's process that is no reason to end it
        files.reset();
        reason = base::foreign_text(module.path + ": not enough memory for its symbols");
    }
    return files ? &*files : nullptr;
}

std::optional<SymbolTable::Impl::Found> SymbolTable::Impl::find(std::uint64_t address) {
    if (stored)
        if (const auto found = stored->find(address))
            return Found{found->name, found->start, found->fortran};
    if (stored && stored->complete())
        return std::nullopt;
    const ElfSymbols* symbols = open_files();
    const auto found = symbols ? symbols->index().find(address) : std::nullopt;
    return found ? std::optional(Found{found->name, found->start, found->fortran}) : std::nullopt;
}

bool SymbolTable::Impl::usable() {
    if (stored && stored->size() != 0)
        return true;
    const ElfSymbols* symbols = open_files();
    return symbols && symbols->index().size() != 0;
}

SymbolTable::SymbolTable(const Module& module, const NameSources& sources)
    : impl_(std::make_unique<Impl>(
          Impl{module, sources.process, StoredSymbols::open(sources.store, module), {}, false, {}})) {}

SymbolTable::~SymbolTable() = default;
SymbolTable::SymbolTable(SymbolTable&&) noexcept = default;
SymbolTable& SymbolTable::operator=(SymbolTable&&) noexcept = default;

std::optional<SymbolTable::Found> SymbolTable::function(std::uint64_t file_address) const {
    return impl_->find(file_address);
}

std::string_view SymbolTable::find(std::uint64_t file_address) const {
    const auto found = impl_->find(file_address);
    return found ? found->name : std::string_view();
}

std::string SymbolTable::clean(std::uint64_t file_address, const NameOptions& options) const {
    const auto found = impl_->find(file_address);
    return found ? clean_name(found->name, options, found->fortran) : std::string();
}

bool SymbolTable::usable() const {
    return impl_->usable();
}

const std::string& SymbolTable::reason() const {
    impl_->usable(); // the reason is known when the files have been asked
    return impl_->reason;
}

} // namespace vftr::symbols
