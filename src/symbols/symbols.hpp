// SPDX-License-Identifier: BSD-3-Clause
//
// Names for addresses. Analyzer code (it allocates and throws nothing); the recorder uses it only
// at the end of a run, for vftrace_get_stack, for filters and precise_functions.
//
// Lookup is lazy: a module's file is opened at the first address that falls into it. Who knows the addresses before
// says so: a program that calls ten functions of a huge executable pays for one reading of its symbol table, at its
// end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::symbols {

// A loaded ELF object as the recording describes it (vfd::ModuleRecord).
struct Module {
    std::uint32_t id = 0;
    std::uint64_t start = 0, end = 0; // mapped addresses
    std::uint64_t bias = 0;
    std::vector<std::uint8_t> build_id; // empty: none
    std::string path;                   // absolute; "[vdso]" and the like are labels, never opened
    // Of the file that was mapped, as stat(2) tells; 0: not known. What proves that a file is the one that was loaded
    // where there is no build-id.
    std::uint64_t device = 0, inode = 0, file_size = 0, mtime_ns = 0;

    bool executable = false; // the program itself: its functions need no object to be told by

    bool operator==(const Module&) const = default;
};

// Where names are looked for besides the path of the module.
struct NameSources {
    std::string store;        // folder of the symbol store (store.hpp); empty: none
    std::int32_t process = 0; // a living process that has loaded the modules: its entries in /proc lead to files that
                              // were deleted or replaced. 0: the own process
};

// Whether "module+0xoffset" tells which of several modules of one file name it is (module_label.hpp).
enum class ModuleIds : std::uint8_t {
    WhereShared, // where another module of the process has the same file name
    Always,
};

struct NameOptions {
    bool demangle_cxx = true;
    bool strip_module_names = false;
    ModuleIds module_ids = ModuleIds::WhereShared;
};

// A linker's symbol name as a reader wants to see it: C++ demangled in full, Intel's .t<N>p suffix
// and Fortran's decorations removed (one trailing underscore only where the name is Fortran's),
// module names cut at _MOD_, _mp_, _MP_ where asked for.
std::string clean_name(std::string_view symbol, const NameOptions& options);

// Symbols of one module: from the symbol store, and where that does not have them all, from the object itself (.symtab
// and .dynsym) and its separate debug file. A file that may be another one than was loaded is not read.
class SymbolTable {
public:
    explicit SymbolTable(const Module& module, const NameSources& sources = {});
    ~SymbolTable();
    SymbolTable(SymbolTable&&) noexcept;
    SymbolTable& operator=(SymbolTable&&) noexcept;

    struct Found {
        std::string_view name; // lives as long as the table
        std::uint64_t start;   // its address in the file
        bool fortran;
        bool weak; // of other objects, one of this name is the same function, as inline functions and templates of C++
                   // are. Of an earlier store also where it is not known
    };
    // These will be asked for. What is expected is looked for together when the first of it is asked for, by one
    // reading of the object's symbol table; else each of the first addresses takes one, and then all functions of the
    // object are kept.
    void expect(const std::vector<std::uint64_t>& file_addresses);
    std::optional<Found> function(std::uint64_t file_address) const;
    // The symbol that covers `file_address` (runtime address − bias); empty if none. The view lives
    // as long as the table. Aliases: the same answer on every run and machine.
    std::string_view find(std::uint64_t file_address) const;
    // The same name, cleaned: the table also knows whether the function is Fortran's.
    std::string clean(std::uint64_t file_address, const NameOptions& options) const;
    // What tells the function at this address apart from others of its name in the object (shared_names.hpp); empty:
    // nothing has to. The first question costs a reading of all names of the object, unless the store knows it; so ask
    // for a function that is wanted by name.
    std::string_view origin(std::uint64_t file_address) const;
    // Whether there are function symbols in the store or the files; else why not, in one line.
    bool usable() const;
    const std::string& reason() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

class Resolver {
public:
    Resolver(std::vector<Module> modules, NameOptions options, NameSources sources = {});
    ~Resolver();
    Resolver(Resolver&&) noexcept;
    Resolver& operator=(Resolver&&) noexcept;
    // Cleaned name of the function at a runtime address; "module+0xoffset" where no symbol is
    // known, "0xaddress" where no module is. module_id 0: find the module by address.
    std::string name(std::uint64_t address, std::uint32_t module_id = 0);
    // As SymbolTable::expect. A call place is at the address before the one that call_place() is asked for.
    struct Place {
        std::uint64_t address;
        std::uint32_t module_id;
    };
    void expect(const std::vector<Place>& places);
    // As name(); of several functions of the object that have this name each has what tells them apart behind it: "init
    // (a.c)".
    std::string distinct_name(std::uint64_t address, std::uint32_t module_id = 0);
    // The same with the object that it is of, where functions of other objects may have its name (qualified_name.hpp).
    std::string qualified_name(std::uint64_t address, std::uint32_t module_id = 0);
    // Where in the source the call is that returns to this address: "solve:42", by the name of the user's function also
    // where it was inlined or taken apart; "solve+0x4f" where there is no debug information, "solve._omp_fn.0+0x1" in
    // the function that a compiler made of a part of it.
    std::string call_place(std::uint64_t return_address, std::uint32_t module_id = 0);
    // The same with the source file, where that is known, else with what qualified_name() has.
    std::string qualified_call_place(std::uint64_t return_address, std::uint32_t module_id = 0);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vftr::symbols
