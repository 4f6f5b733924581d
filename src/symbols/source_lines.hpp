// SPDX-License-Identifier: BSD-3-Clause
//
// Lines of source by address, from the debug information of an object or of its separate debug file. Read with libdw,
// of elfutils.
//
// Few programs ask for a line, and each library that the recorder brings into a process makes every fork of it dearer.
// So libdw is loaded when the first line is asked for, and stays. Where it is not installed, or the program is linked
// statically, no line is known.
#pragma once

#include "symbols/symbols.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace vftr::symbols {

struct SourceLine {
    std::uint32_t line = 0; // from 1
    // The linker's name of the function that the line is in, where that is not the one whose code the address is in: a
    // function that was inlined, or the one that a compiler made the address' function of (a part that threads
    // execute). Else empty.
    std::string function;
    bool fortran = false; // that function
};

struct SourcePlace {
    std::string file; // with the compiler's directory before it where that is known and it is relative
    std::uint32_t line = 0;
};

// One thread at a time.
class SourceLines {
public:
    // process: as in NameSources.
    explicit SourceLines(const Module& module, std::int32_t process = 0);
    ~SourceLines();
    SourceLines(SourceLines&&) noexcept;
    SourceLines& operator=(SourceLines&&) noexcept;

    // Of an instruction (runtime address − bias). nullopt: not known.
    std::optional<SourceLine> find(std::uint64_t file_address) const;
    // The source file that the instruction's line is in, as the compiler noted it, with its directory where that is
    // known; empty: not known.
    std::string file(std::uint64_t file_address) const;
    // The same with the line; nullopt: not known. Where a function begins with what was inlined into it, that is its
    // place.
    std::optional<SourcePlace> place(std::uint64_t file_address) const;
    // Where the function with this instruction is declared. The first question about a compilation unit takes as long
    // as to go through it.
    std::optional<SourcePlace> declaration(std::uint64_t file_address) const;
    // The linker's name of the function that the one with this instruction is written in, as an internal procedure of
    // Fortran's; empty: none, or not known.
    std::string host(std::uint64_t file_address) const;
    // Whether there is debug information, and it can be read.
    bool known() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Compilers make functions of the parts of a function that threads execute, and name them after it: f._omp_fn.0,
// f.omp_outlined. The name of the user's function; that of the compiler's where it does not tell.
std::string_view without_outlining(std::string_view symbol);

} // namespace vftr::symbols
