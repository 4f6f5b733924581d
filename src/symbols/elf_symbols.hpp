// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of one module from its ELF files: the object's .symtab and .dynsym, and those of its separate debug
// file. Where the same function is in several, it counts once.
//
// The object is looked for, in this order, at
//   1. the module's path;
//   2. /proc/<pid>/exe, the main image of the process, which opens it also after its file was deleted or replaced;
//   3. /proc/<pid>/map_files, likewise for any object; the kernel lets only privileged processes follow these.
// Another program's symbols are worse than none, so a file that may be another one than was loaded is not read
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
    // The object at one of the places above; nullopt, and `reason` with the path in one line.
    static std::optional<ElfFile> open(const Module& module, std::int32_t process, std::string& reason);

    // Opens the files. process: as in NameSources. Throws std::bad_alloc, as all that follows.
    ElfSymbols(const Module& module, std::int32_t process);
    ElfSymbols(const ElfSymbols&) = delete;
    ElfSymbols& operator=(const ElfSymbols&) = delete;

    // All functions. What this takes grows with the object.
    std::unique_ptr<const SymbolIndex> index();
    // What has the same answers at these addresses. What this takes grows with their number, but for one reading of the
    // symbol table.
    std::unique_ptr<const SymbolIndex> index_at(const std::vector<std::uint64_t>& addresses);

    // Of the functions in an index that one of these made.
    std::unique_ptr<const SharedNames> shared_names(const SymbolIndex& index);

    // A file of the module could be read, be it without symbols.
    bool readable() const { return file_ || debug_; }
    // Whether there are function symbols; if not, reason() says why, in one line.
    bool usable();
    const std::string& reason() const { return reason_; }
    // All functions are there, static ones too: the files have a .symtab with functions.
    bool complete();
    // Of the symbol tables in the files, with their names.
    std::uint64_t bytes() const;

private:
    void add_source(const ElfFile& file, std::uint32_t section_type);
    static bool has_function(std::span<SymbolSource> sources);

    Module module_;
    std::int32_t process_;
    std::string reason_;                  // before the files: opening them writes it
    std::optional<ElfFile> file_, debug_; // before the sources, which point to them
    std::vector<SymbolSource> sources_;
    std::size_t full_sources_ = 0; // so many of them, the first ones, are a .symtab
};

} // namespace vftr::symbols
