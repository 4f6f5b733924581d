// SPDX-License-Identifier: BSD-3-Clause
//
// The symbol store is searched first, because a search in its small file is faster than reading a large object. The
// object itself is opened if an address is not found there and the store does not have all functions of the object: if
// nothing was stored, or if the object was stripped when it was stored.
//
// In the object, all expected addresses are found in one pass. A lookup of an unexpected address may be followed by
// others, as in a filter, which is asked about each function when it is first called. Therefore all functions of the
// object are indexed after some of these lookups.
#include "base/foreign_text.hpp"
#include "symbols/elf_symbols.hpp"
#include "symbols/name_clean.hpp"
#include "symbols/stored_symbols.hpp"

#include <new>
#include <unordered_map>
#include <utility>

namespace vftr::symbols {

namespace {

// Number of searches in an object before all of it is indexed; building the index takes as long as about twenty
// searches.
constexpr int MostSearches = 8;

} // namespace

struct SymbolTable::Impl {
    using Found = SymbolTable::Found;

    Impl(const Module& of, const NameSources& sources)
        : module(of), process(sources.process), stored(StoredSymbols::open(sources.store, of)) {}

    Module module;
    std::int32_t process;
    std::optional<StoredSymbols> stored;
    std::vector<std::uint64_t> expected;
    std::optional<ElfSymbols> files; // set when the files are first needed
    bool asked = false;
    std::string reason;
    // An index and, after the origin of one of its functions was requested, what distinguishes those functions that
    // share their names.
    struct Indexed {
        std::unique_ptr<const SymbolIndex> index;
        std::unique_ptr<const SharedNames> shared;
    };
    struct Answer {
        std::optional<SymbolIndex::Found> found;
        std::size_t search; // index in `searches`
    };
    std::unordered_map<std::uint64_t, Answer> answers; // results of the searches
    std::vector<Indexed> searches;                     // they own the names in the answers
    Indexed all;

    ElfSymbols* open_files();
    void out_of_memory();
    std::optional<Found> find(std::uint64_t address);
    std::string_view origin(std::uint64_t address);
    struct InFiles {
        std::optional<SymbolIndex::Found> found;
        Indexed* by;
    };
    // `found` is nullopt if the files cannot be read or have no such function; `by` is nullptr in the first case.
    InFiles find_in_files(std::uint64_t address);
    bool usable();
};

void SymbolTable::Impl::out_of_memory() {
    files.reset();
    reason = base::foreign_text(module.path + ": not enough memory for its symbols");
}

ElfSymbols* SymbolTable::Impl::open_files() {
    if (std::exchange(asked, true) && (!files || files->is_here()))
        return files ? &*files : nullptr;
    files.emplace(module, process);
    return &*files;
}

SymbolTable::Impl::InFiles SymbolTable::Impl::find_in_files(std::uint64_t address) {
    if (const auto known = answers.find(address); known != answers.end())
        return {known->second.found, &searches[known->second.search]};
    if (all.index)
        return {all.index->find(address), &all};
    ElfSymbols* const symbols = open_files();
    if (!symbols)
        return {std::nullopt, nullptr};
    if (searches.size() == MostSearches) {
        all.index = symbols->index();
        return {all.index->find(address), &all};
    }
    std::vector<std::uint64_t> addresses = std::exchange(expected, {});
    addresses.push_back(address);
    searches.push_back({symbols->index_at(addresses), nullptr});
    for (const std::uint64_t at : addresses)
        answers.emplace(at, Answer{searches.back().index->find(at), searches.size() - 1});
    return {answers.at(address).found, &searches.back()};
}

std::optional<SymbolTable::Found> SymbolTable::Impl::find(std::uint64_t address) {
    if (stored)
        if (const auto found = stored->find(address))
            return Found{found->name, found->start, found->fortran, found->weak};
    if (stored && stored->complete())
        return std::nullopt;
    try {
        const auto found = find_in_files(address).found;
        return found ? std::optional(Found{found->name, found->start, found->fortran, found->weak}) : std::nullopt;
        // In the user's process this is no reason to end it.
    } catch (const std::bad_alloc&) {
        out_of_memory();
        return std::nullopt;
    }
}

std::string_view SymbolTable::Impl::origin(std::uint64_t address) {
    if (stored)
        if (const auto found = stored->find(address))
            return found->origin;
    if (!find(address))
        return {};
    try {
        const InFiles known = find_in_files(address);
        if (!known.found || !known.found->local)
            return {};
        if (!known.by->shared)
            if (ElfSymbols* const symbols = open_files())
                known.by->shared = symbols->shared_names(*known.by->index);
        if (!known.by->shared)
            return {};
        return known.by->shared->origin(known.found->start);
    } catch (const std::bad_alloc&) {
        out_of_memory();
        return {};
    }
}

bool SymbolTable::Impl::usable() {
    if (stored && stored->size() != 0)
        return true;
    try {
        ElfSymbols* symbols = open_files();
        if (symbols && symbols->usable())
            return true;
        if (symbols)
            reason = base::foreign_text(symbols->reason());
    } catch (const std::bad_alloc&) {
        out_of_memory();
    }
    return false;
}

SymbolTable::SymbolTable(const Module& module, const NameSources& sources)
    : impl_(std::make_unique<Impl>(module, sources)) {}

SymbolTable::~SymbolTable() = default;
SymbolTable::SymbolTable(SymbolTable&&) noexcept = default;
SymbolTable& SymbolTable::operator=(SymbolTable&&) noexcept = default;

void SymbolTable::expect(const std::vector<std::uint64_t>& file_addresses) {
    impl_->expected.insert(impl_->expected.end(), file_addresses.begin(), file_addresses.end());
}

std::optional<SymbolTable::Found> SymbolTable::function(std::uint64_t file_address) const {
    return impl_->find(file_address);
}

std::string_view SymbolTable::origin(std::uint64_t file_address) const { return impl_->origin(file_address); }

std::string_view SymbolTable::find(std::uint64_t file_address) const {
    const auto found = impl_->find(file_address);
    return found ? found->name : std::string_view();
}

std::string SymbolTable::clean(std::uint64_t file_address, const NameOptions& options) const {
    const auto found = impl_->find(file_address);
    return found ? clean_name(found->name, options, found->fortran) : std::string();
}

bool SymbolTable::usable() const { return impl_->usable(); }

const std::string& SymbolTable::reason() const {
    impl_->usable(); // the reason is known after the files were tried
    return impl_->reason;
}

} // namespace vftr::symbols
