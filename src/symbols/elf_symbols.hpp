// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of one module from its ELF files: the object's .symtab and .dynsym, and those of its separate debug file. Where the
// same function is in several, it counts once.
//
// The object is looked for, in this order, at
//   1. the module's path;
//   2. /proc/<pid>/exe, the main image of the process, which opens it also after its file was deleted or replaced;
//   3. /proc/<pid>/map_files, likewise for any object; the kernel lets only privileged processes follow these.
// Another program's symbols are worse than none, so a file that may be another one than was loaded is not read (identity.hpp).
#pragma once

#include "symbols/symbol_index.hpp"
#include "symbols/symbols.hpp"

namespace vftr::symbols {

class ElfSymbols {
public:
    // The object at one of the places above; nullopt, and `reason` with the path in one line.
    static std::optional<ElfFile> open(const Module& module, std::int32_t process, std::string& reason);

    // process: as in NameSources. Throws std::bad_alloc.
    ElfSymbols(const Module& module, std::int32_t process);

    const SymbolIndex& index() const { return index_; }
    // A file of the module could be read, be it without symbols.
    bool readable() const { return file_ || debug_; }
    // All functions are there, static ones too: the files have a .symtab.
    bool complete() const { return complete_; }
    const std::string& reason() const { return reason_; } // why there are no symbols, in one line

private:
    std::string reason_; // before the files: opening them writes it
    std::optional<ElfFile> file_, debug_; // before the index, which points into them
    SymbolIndex index_;
    bool complete_ = false;
};

} // namespace vftr::symbols
