// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of one module from its ELF files: the object's .symtab and .dynsym, and those of its separate debug
// file. A function that is in several of them counts once.
//
// The object is looked up at these paths, in this order:
//   1. the module's path;
//   2. /proc/<pid>/exe for the main image of the process, which can be opened even if its file was deleted or replaced;
//   3. /proc/<pid>/map_files, the same for any object; the kernel lets only privileged processes open these.
// The symbols of another object are worse than none, so a file that may not be the one that was loaded is not read
// (identity.hpp).
#pragma once

#include "symbols/shared_names.hpp"
#include "symbols/symbol_index.hpp"
#include "symbols/symbol_source.hpp"
#include "symbols/symbols.hpp"

#include <memory>
#include <span>

namespace vftr::symbols {

class ElfSymbols {
public:
    // Opens the object at one of the paths above. If that fails, it returns nullopt, and `reason` is one line with the
    // path.
    static std::optional<ElfFile> open(const Module& module, std::int32_t process, std::string& reason);

    // Opens the files. process: see NameSources. This and all following functions throw std::bad_alloc.
    ElfSymbols(const Module& module, std::int32_t process);
    ElfSymbols(const ElfSymbols&) = delete;
    ElfSymbols& operator=(const ElfSymbols&) = delete;

    // Returns an index of all functions. Its time and memory grow with the object.
    std::unique_ptr<const SymbolIndex> index();
    // Returns an index that gives the same answers as index() at these addresses. Its time and memory grow with their
    // number, except for one pass over the symbol table.
    std::unique_ptr<const SymbolIndex> index_at(const std::vector<std::uint64_t>& addresses);

    // `index` must have been made by this object.
    std::unique_ptr<const SharedNames> shared_names(const SymbolIndex& index);

    // Whether the files can be read where the caller runs now (base::OpenFile).
    bool is_here() const { return (!file_ || file_->is_here()) && (!debug_ || debug_->is_here()); }
    // Whether a file of the module could be read, even if it has no symbols.
    bool readable() const { return file_ || debug_; }
    // Whether there are function symbols; if not, reason() is the reason in one line.
    bool usable();
    const std::string& reason() const { return reason_; }
    // Whether all functions are known, including static ones, because the files have a .symtab with functions.
    bool complete();
    // The size of the symbol tables in the files, including their names.
    std::uint64_t bytes() const;

private:
    void add_source(const ElfFile& file, std::uint32_t section_type);
    static bool has_function(std::span<SymbolSource> sources);

    Module module_;
    std::int32_t process_;
    std::string reason_;                  // declared before the files, because opening them writes it
    std::optional<ElfFile> file_, debug_; // declared before the sources, which point to them
    std::vector<SymbolSource> sources_;
    std::size_t full_sources_ = 0; // the number of sources that are a .symtab; they come first
};

} // namespace vftr::symbols
