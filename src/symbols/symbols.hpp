// SPDX-License-Identifier: BSD-3-Clause
//
// Names for addresses. This is code of the analyzer, which allocates memory but throws nothing. The recorder uses it
// only at the end of a run, for vftrace_get_stack, and for filters and precise_functions.
//
// Lookup is lazy: a module's file is opened when the first address in it is looked up. A caller that knows the
// addresses beforehand should announce them (expect): a program that calls ten functions of a huge executable then pays
// for one pass over its symbol table, at its end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::symbols {

// A loaded ELF object as it is described in the recording (vfd::ModuleRecord).
struct Module {
    std::uint32_t id = 0;
    std::uint64_t start = 0, end = 0; // mapped addresses
    std::uint64_t bias = 0;
    std::vector<std::uint8_t> build_id; // empty: none
    // An absolute path. "[vdso]" and similar are labels, which are never opened.
    std::string path;
    // The identity of the file that was mapped, as from stat(2); 0: not known. If there is no build-id, it proves that
    // a file is the one that was loaded.
    std::uint64_t device = 0, inode = 0, file_size = 0, mtime_ns = 0;

    // The program itself: its functions are not qualified by their object.
    bool executable = false;

    bool operator==(const Module&) const = default;
};

// Where names are looked up in addition to the path of the module.
struct NameSources {
    std::string store; // folder of the symbol store (store.hpp); empty: none
    // A running process that has loaded the modules: its entries in /proc lead to files that were deleted or replaced.
    // 0: this process.
    std::int32_t process = 0;
};

// Whether "module+0xoffset" contains an id that distinguishes modules with the same file name (module_label.hpp).
enum class ModuleIds : std::uint8_t {
    WhereShared, // only if another module of the process has the same file name
    Always,
};

struct NameOptions {
    bool demangle_cxx = true;
    bool strip_module_names = false;
    ModuleIds module_ids = ModuleIds::WhereShared;
    // Whether functions of the executable have a qualifier, as others may run another one (qualified_name.hpp).
    bool executables_apart = false;
};

// Converts a linker's symbol name to the form that readers see: C++ is demangled in full, Intel's suffix .t<N>p and
// Fortran's decorations are removed (a trailing underscore only if the name is Fortran's), and if requested, module
// names are cut off at _MOD_, _mp_ or _MP_.
std::string clean_name(std::string_view symbol, const NameOptions& options);

// The symbols of one module: from the symbol store and, if that does not have all of them, from the object itself
// (.symtab and .dynsym) and its separate debug file. A file that may not be the one that was loaded is not read.
class SymbolTable {
public:
    explicit SymbolTable(const Module& module, const NameSources& sources = {});
    ~SymbolTable();
    SymbolTable(SymbolTable&&) noexcept;
    SymbolTable& operator=(SymbolTable&&) noexcept;

    struct Found {
        std::string_view name; // valid as long as the table exists
        std::uint64_t start;   // its address in the file
        bool fortran;
        // A function of this name in another object is the same one, as for inline functions and templates of C++. With
        // files of an earlier version of the store it is also true if that is not known.
        bool weak;
    };
    // Announces addresses that will be looked up. When the first of them is looked up, all of them are found in one
    // pass over the object's symbol table. Without this, each of the first lookups takes one pass, and after that all
    // functions of the object are kept in memory.
    void expect(const std::vector<std::uint64_t>& file_addresses);
    std::optional<Found> function(std::uint64_t file_address) const;
    // Returns the symbol that covers `file_address` (runtime address − bias), or an empty view if there is none. The
    // view is valid as long as the table exists. If there are aliases, the result is the same in every run and on every
    // machine.
    std::string_view find(std::uint64_t file_address) const;
    // As find, but returns the cleaned name; the table also knows whether the function is Fortran's.
    std::string clean(std::uint64_t file_address, const NameOptions& options) const;
    // Returns what distinguishes the function at this address from others with its name in the object
    // (shared_names.hpp), or an empty string if that is not necessary. Unless the store has this information, the first
    // call reads all names of the object. Therefore it should be called only for functions whose name is displayed.
    std::string_view origin(std::uint64_t file_address) const;
    // Whether there are function symbols in the store or in the files; if not, reason() is the reason in one line.
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
    // Returns the cleaned name of the function at a runtime address, "module+0xoffset" if there is no symbol, or
    // "0xaddress" if there is no module. module_id 0: the module is found by the address.
    std::string name(std::uint64_t address, std::uint32_t module_id = 0);
    // See SymbolTable::expect. The address to announce for call_location() is the return address − 1.
    struct Location {
        std::uint64_t address;
        std::uint32_t module_id;
    };
    void expect(const std::vector<Location>& locations);
    // As name(), but if several functions of the object have this name, each is followed by what distinguishes it:
    // "init (a.c)".
    std::string distinct_name(std::uint64_t address, std::uint32_t module_id = 0);
    // As distinct_name(), with the object that contains the function if functions of other objects may have the same
    // name (qualified_name.hpp).
    std::string qualified_name(std::uint64_t address, std::uint32_t module_id = 0);
    // Returns the source line of the call that returns to this address: "solve:42", by the name of the user's function
    // even if it was inlined or split. Without debug information it is "solve+0x4f", or "solve._omp_fn.0+0x1" in a
    // function that a compiler has split off.
    std::string call_location(std::uint64_t return_address, std::uint32_t module_id = 0);
    // As call_location(), with the source file if it is known, else with what qualified_name() adds.
    std::string qualified_call_location(std::uint64_t return_address, std::uint32_t module_id = 0);
    // Returns the names of the functions that were inlined at this instruction, from the innermost one outwards,
    // without the one that it belongs to: each as clean_name() and, where the object has a qualifier, with that. None
    // if it is not known, or if the object's debug information has more than `largest` bytes, which all have to be
    // read.
    std::vector<std::string> inlined(std::uint64_t address, std::uint32_t module_id, std::uint64_t largest);
    // Returns the symbol of the function that the stub at this address leads to (linkage_stubs.hpp), valid as long as
    // the resolver; nullopt if no stub is known there.
    std::optional<std::string_view> stub_callee(std::uint64_t address, std::uint32_t module_id = 0);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vftr::symbols
