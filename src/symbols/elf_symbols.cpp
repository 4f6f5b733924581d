// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/elf_symbols.hpp"

#include "symbols/debug_file.hpp"
#include "symbols/identity.hpp"
#include "symbols/process_maps.hpp"
#include "symbols/symbol_search.hpp"

namespace vftr::symbols {

namespace {

std::optional<ElfFile> open_if_loaded(const std::string& path, const Module& module, std::string& reason) {
    auto file = ElfFile::open(path, reason);
    std::string difference;
    if (!file || is_loaded_file(*file, module, difference))
        return file;
    reason = path + ": " + difference;
    return std::nullopt;
}

} // namespace

std::optional<ElfFile> ElfSymbols::open(const Module& module, std::int32_t process, std::string& reason) {
    if (!is_file_path(module.path)) { // [vdso], a memfd, anonymous memory
        reason = "\"" + module.path + "\" is not the path of a file";
        return std::nullopt;
    }
    auto file = open_if_loaded(module.path, module, reason);
    if (file)
        return file;
    // This is tried last, because the kernel takes half a millisecond to list the 300 mappings of an MPI program.
    std::string ignored;
    for (const auto& path : paths_in_process(process, module)) {
        file = open_if_loaded(path, module, ignored);
        if (file)
            break;
    }
    return file;
}

ElfSymbols::ElfSymbols(const Module& module, std::int32_t process)
    : module_(module), process_(process), file_(open(module, process, reason_)) {
    debug_ = file_ ? debug_file_of(*file_, module.path) : debug_file_of(module.build_id);
    if (file_)
        reason_ = module.path + ": has no function symbols";
    if (file_)
        add_source(*file_, SHT_SYMTAB);
    if (debug_)
        add_source(*debug_, SHT_SYMTAB);
    full_sources_ = sources_.size();
    if (file_)
        add_source(*file_, SHT_DYNSYM);
}

void ElfSymbols::add_source(const ElfFile& file, std::uint32_t section_type) {
    if (const auto section = SymbolSection::of(file, section_type))
        sources_.emplace_back(file, *section);
}

std::unique_ptr<const SymbolIndex> ElfSymbols::index() {
    auto index = std::make_unique<SymbolIndex>();
    add_all_functions(sources_, *index);
    index->finish();
    return index;
}

std::unique_ptr<const SymbolIndex> ElfSymbols::index_at(const std::vector<std::uint64_t>& addresses) {
    auto index = std::make_unique<SymbolIndex>();
    if (!add_functions_at(sources_, addresses, *index))
        return this->index();
    index->finish();
    return index;
}

std::unique_ptr<const SharedNames> ElfSymbols::shared_names(const SymbolIndex& index) {
    std::optional<SourceLines> lines; // opened when the first one is requested
    const auto ask = [&](auto question) {
        return [&, question](std::uint64_t address) {
            if (!lines)
                lines.emplace(module_, process_);
            return ((*lines).*question)(address);
        };
    };
    return std::make_unique<SharedNames>(sources_, index,
                                         SharedNames::Source{ask(&SourceLines::place), ask(&SourceLines::declaration)});
}

bool ElfSymbols::has_function(std::span<SymbolSource> sources) {
    bool found = false;
    for (SymbolSource& source : sources)
        source.for_each_function([&](const SymbolSource::Function& function) {
            found = found || is_function_name(source.name(function.name));
            return !found;
        });
    return found;
}

bool ElfSymbols::usable() { return has_function(sources_); }

bool ElfSymbols::complete() { return has_function(std::span(sources_).first(full_sources_)); }

std::uint64_t ElfSymbols::bytes() const {
    std::uint64_t bytes = 0;
    for (const SymbolSource& source : sources_)
        bytes += source.bytes();
    return bytes;
}

} // namespace vftr::symbols
