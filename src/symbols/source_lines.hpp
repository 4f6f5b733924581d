// SPDX-License-Identifier: BSD-3-Clause
//
// Finds source lines by address, in the debug information of an object or of its separate debug file. It uses libdw of
// elfutils.
//
// Few programs ask for a source line, and each library that the recorder loads into a process makes all its forks
// slower. Therefore libdw is loaded when the first line is requested, and stays loaded. If it is not installed, or if
// the program is statically linked, no lines are known.
#pragma once

#include "symbols/symbols.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vftr::symbols {

struct SourceLine {
    std::uint32_t line = 0; // from 1
    // The linker's name of the function that contains the line, if it is not the function whose code contains the
    // address: a function that was inlined there, or the function of which a compiler has split off the present one (a
    // part that threads execute). Otherwise it is empty.
    std::string function;
    bool fortran = false; // whether that function is Fortran
};

struct SourceLocation {
    // Preceded by the compiler's working directory if it is relative and the directory is known.
    std::string file;
    std::uint32_t line = 0;
};

// The functions that were inlined at an instruction.
struct InlinedFunctions {
    std::vector<std::string> symbols; // the linker's names, from the innermost function outwards
    bool fortran = false;
};

// Only one thread at a time may use it.
class SourceLines {
public:
    // Returns the size of the debug information in bytes, as far as libdw reads all of it at the begin (it does, into
    // memory), or 0 if there is none.
    static std::uint64_t size_of(const Module& module, std::int32_t process = 0);
    // process: see NameSources.
    explicit SourceLines(const Module& module, std::int32_t process = 0);
    ~SourceLines();
    SourceLines(SourceLines&&) noexcept;
    SourceLines& operator=(SourceLines&&) noexcept;

    // Returns the line of an instruction (runtime address − bias), or nullopt if it is not known.
    std::optional<SourceLine> find(std::uint64_t file_address) const;
    // Returns the source file of the instruction's line as the compiler noted it, with its directory if that is known,
    // or an empty string.
    std::string file(std::uint64_t file_address) const;
    // Returns the source file and the line, or nullopt if they are not known. If a function begins with code that was
    // inlined into it, this is the place of the inlined code.
    std::optional<SourceLocation> place(std::uint64_t file_address) const;
    // Returns where the function that contains this instruction is declared. The first query for a compilation unit has
    // to traverse the whole unit.
    std::optional<SourceLocation> declaration(std::uint64_t file_address) const;
    // Returns the linker's name of the function inside which the function with this instruction is defined, as for an
    // internal procedure of Fortran, or an empty string if there is none or it is not known.
    std::string host(std::uint64_t file_address) const;
    // Returns the functions that were inlined at this instruction, without the one that it belongs to; none if that is
    // not known.
    InlinedFunctions inlined(std::uint64_t file_address) const;
    // Whether there is readable debug information.
    bool known() const;
    // Whether it can be read where the caller runs now (base::OpenFile).
    bool is_here() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Compilers make functions of the parts of a function that threads execute, and name them after it: f._omp_fn.0,
// f.omp_outlined. This returns the name of the user's function, or the given name if that does not contain it.
std::string_view without_outlining(std::string_view symbol);

} // namespace vftr::symbols
