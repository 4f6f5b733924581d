// SPDX-License-Identifier: BSD-3-Clause
//
// Recognises the compiler that a command runs, and proposes flags with which programs are best compiled for recording.
//
// gcc puts the hooks into functions before it inlines them, so each size(), begin() and operator[] of a C++ library
// costs two calls, and nothing without hooks. There can be 25 times as many of these calls as of all others together.
// The plugin (src/instrument) puts hooks in after inlining, as clang does. Where there is no plugin for the compiler,
// functions of system headers are left out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::advice {

enum class CompilerFamily { Gcc, Clang };

struct Compiler {
    CompilerFamily family;
    bool fortran = false; // otherwise C and C++
    std::string version;  // the first line that it prints with --version
};

// Recognises a compiler by the output of `compiler --version`, which MPI wrappers and ccache pass through. nullopt: it
// is not a known compiler.
std::optional<Compiler> recognise(std::string_view version_text);

// The folders of the headers that come with the compiler and the system, from the output of `gcc -v -E` in the C
// locale. They are absolute; folders within another one of them are left out, and so are those that would need quotes
// on a command line.
std::vector<std::string> system_header_folders(std::string_view search_text);

struct Flag {
    std::string text; // one word without characters that are special to a shell
    std::string why;
};

// `instead` marks a flag that is only used if the compiler does not know the flag before it.
struct WantedFlag {
    Flag flag;
    bool instead = false;
};
// The flags in the order of the command line. `plugin` is the path of the compiler's plugin; "": there is none.
std::vector<WantedFlag> flags_to_start_with(const Compiler& compiler, const std::string& plugin,
                                            const std::vector<std::string>& header_folders);

} // namespace vftr::advice
