// SPDX-License-Identifier: BSD-3-Clause
//
// Describes how an ELF file is linked with others: its machine, the objects that it needs and where they are searched
// for, the symbols that it defines and references, and its calls. This is code of the analyzer; damaged parts of a file
// count as missing.
#pragma once

#include "symbols/elf_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::symbols {

// The versions of symbols that an object wants of another one.
struct WantedVersions {
    std::string file;                  // a name in `needed`
    std::vector<std::string> versions; // "GLIBC_2.34"; without those that may be missing (weak)
};

struct Linkage {
    unsigned machine = 0; // EM_*
    int bits = 0;
    bool big_endian = false;
    // Path of the dynamic linker. It is empty for a static program and for a library.
    std::string interpreter;
    std::string soname;
    std::vector<std::string> needed; // in the order of the file
    std::string run_path,
        older_run_path;              // DT_RUNPATH and DT_RPATH, as they are in the file ("$ORIGIN/../lib:/opt/lib")
    bool no_default_folders = false; // -z nodefaultlib
    std::vector<WantedVersions> wanted_versions;
    std::vector<std::string> given_versions; // empty: its symbols have no versions
    bool has_sections = false;               // needed to find its symbols
};
Linkage linkage_of(const ElfFile& file);
// Whether the machine that runs this program can also run the file.
bool runs_here(const Linkage& linkage);
std::string machine_name(const Linkage& linkage); // "x86-64, 64 bits"

enum class Presence { None, Wanted, Given };
// .dynsym has the symbols that other objects see; .symtab has all, but stripped objects lack it.
enum class Table { Dynamic, Full };

struct FoundSymbol {
    Presence presence = Presence::None;
    std::uint64_t address = 0; // of a defined symbol, as in the file
    std::uint64_t size = 0;
};
// Finds a symbol with exactly this name (versions are ignored); a definition takes precedence over a reference.
FoundSymbol find_symbol(const ElfFile& file, Table table, std::string_view name);
bool has_table(const ElfFile& file, Table table);

// How many functions the full table has, and how many of them have less than `bytes` of code.
struct FunctionCount {
    std::uint64_t all = 0, shorter = 0;
};
FunctionCount count_functions(const ElfFile& file, std::uint64_t bytes);

// Whether a compiler, or a plugin of it, has left a note (in .comment) with this text in it.
bool has_compiler_note(const ElfFile& file, std::string_view text);

// Counts the direct calls of (or jumps to) an address in the file's code, because calls within an object leave no trace
// in its symbol tables once it is linked. The count stops at `enough`. It is 0 on machines whose code this function
// does not know (it knows x86-64 and aarch64).
std::uint64_t count_calls(const ElfFile& file, std::uint64_t address, std::uint64_t enough);
bool knows_calls_of(const Linkage& linkage);

// Calls `visit` with each string in the file's read-only data (0-terminated, printable, with at least `shortest`
// characters) until it returns true, and returns whether it did.
template <class Visit>
bool for_each_string(const ElfFile& file, std::size_t shortest, Visit visit);

// Returns the read-only data of the file, one piece for each section.
std::vector<std::string_view> read_only_data(const ElfFile& file);

template <class Visit>
bool for_each_string(const ElfFile& file, std::size_t shortest, Visit visit) {
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
