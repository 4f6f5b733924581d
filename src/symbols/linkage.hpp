// SPDX-License-Identifier: BSD-3-Clause
//
// How an ELF file is put together with others: what it is for, what it needs, which symbols it takes and gives, what it
// calls. Analyzer code; damaged parts of a file count as not there.
#pragma once

#include "symbols/elf_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::symbols {

struct Linkage {
    unsigned machine = 0; // EM_*
    int bits = 0;
    bool big_endian = false;
    std::string interpreter; // the dynamic linker; empty: none, so static or a library
    std::string soname;
    std::vector<std::string> needed; // in the order of the file
    bool has_sections = false;       // symbols are found by them
};
Linkage linkage_of(const ElfFile& file);
// The machine that this program runs on, as Linkage describes it: can it run the file?
bool runs_here(const Linkage& linkage);
std::string machine_name(const Linkage& linkage); // "x86-64, 64 bits"

enum class Presence { None, Wanted, Given };
enum class Table { Dynamic, Full }; // .dynsym, what other objects see; .symtab, gone when stripped

struct FoundSymbol {
    Presence presence = Presence::None;
    std::uint64_t address = 0; // of a given one, as in the file
    std::uint64_t size = 0;
};
// A symbol of exactly that name (its version does not count); one that is given wins.
FoundSymbol find_symbol(const ElfFile& file, Table table, std::string_view name);
bool has_table(const ElfFile& file, Table table);

// How many direct calls of (or jumps to) an address the file's code has: calls within an object leave no trace in its
// tables once it is linked. 0 as well on machines whose code is not known here (x86-64 and aarch64 are). Stops at
// `enough`.
std::uint64_t count_calls(const ElfFile& file, std::uint64_t address, std::uint64_t enough);
bool knows_calls_of(const Linkage& linkage);

// Calls `visit` with each text in the file's read-only data (0-terminated, printable, at least `shortest` characters)
// until it returns true, which is the result.
template <class Visit>
bool for_each_text(const ElfFile& file, std::size_t shortest, Visit visit);

// The read-only data of the file, a piece for each section.
std::vector<std::string_view> read_only_data(const ElfFile& file);

template <class Visit>
bool for_each_text(const ElfFile& file, std::size_t shortest, Visit visit) {
    for (std::string_view data : read_only_data(file))
        for (std::size_t begin = 0; begin < data.size();) {
            std::size_t end = begin;
            while (end < data.size() && data[end] >= ' ' && data[end] <= '~')
                ++end;
            if (end < data.size() && data[end] == '\0' && end - begin >= shortest &&
                visit(data.substr(begin, end - begin)))
                return true;
            begin = end + 1;
        }
    return false;
}

} // namespace vftr::symbols
