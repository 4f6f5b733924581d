// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of one object, by address. Built once, then only searched.
//
// What counts as a function: FUNC and IFUNC symbols, and untyped labels (assembler) in executable
// sections, as long as no function of known size covers them. A symbol of size 0 reaches to the
// next one, none reaches beyond its section.
//
// One address often has several names (aliases, constructors, weak copies). Which one is shown must
// not depend on the order in a symbol table, so it is the first by: function before label, global
// before weak before local, fewest leading underscores, shortest, then byte order.
//
// A million symbols are common, so an entry is small, names stay in the file's string table, and
// the only sort is by address.
#pragma once

#include "symbols/elf_file.hpp"

#include <gelf.h>
#include <string_view>

namespace vftr::symbols {

class SymbolIndex {
public:
    struct Found {
        std::string_view name;
        std::uint64_t start;
        bool fortran; // compiled from Fortran, as far as the file tells
    };

    // Adds the symbols of the file's section of this type (SHT_SYMTAB or SHT_DYNSYM). The names
    // point into the file's data: the ElfFile must outlive the index. Returns how many functions
    // were found.
    std::size_t add(const ElfFile& file, std::uint32_t section_type);
    // After the last add, before the first find.
    void finish();

    std::optional<Found> find(std::uint64_t address) const;
    std::size_t size() const { return entries_.size(); }

    // The functions in order of their addresses, no two of which are equal.
    struct Function {
        std::uint64_t start, end;
        std::uint32_t enclosing; // function that begins earlier and reaches into this one; None
        std::string_view name;
        bool fortran;
    };
    static constexpr std::uint32_t None = 0xffffffff;
    Function at(std::size_t index) const;

private:
    struct Section {
        std::uint64_t start, end; // end ≤ start: not executable
    };
    struct Entry {
        std::uint64_t start, end;
        std::uint32_t name;      // offset into the string table
        std::uint16_t table;     // of string_tables_
        std::uint8_t rank;       // the lower, the better among names of one address
        std::uint8_t flags;      // EntryFlags
        std::uint32_t enclosing; // entry that begins earlier and reaches into this one
    };
    struct Source; // one symbol section while it is read

    static std::vector<Section> executable_sections(Elf* elf);
    void read(const Source& source);
    void add_function(const Source& source, const GElf_Sym& symbol, std::uint32_t section,
                      bool in_foreign_file);
    std::string_view name_of(const Entry& entry) const;
    bool before(const Entry& a, const Entry& b) const;
    void drop_aliases();
    void drop_covered_labels();
    void end_at_next();
    void link_enclosing();

    std::vector<std::string_view> string_tables_;
    std::vector<Entry> entries_;
    bool fortran_ = false;
};

} // namespace vftr::symbols
