// SPDX-License-Identifier: BSD-3-Clause
//
// Which compiler it is that a command runs, and with which flags programs are best compiled to be recorded.
//
// Why system headers are left out with gcc. It puts the hooks into functions before it inlines them, so that each
// size(), begin() and operator[] of a C++ library costs two calls where without hooks it cost nothing: these calls can
// be 25 times as many as all others together. Clang can put the hooks in after inlining, and then what was inlined has
// none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::advice {

enum class CompilerFamily { Gcc, Clang };

struct Compiler {
    CompilerFamily family;
    bool fortran = false; // else C and C++
    std::string version;  // the first line of what it prints about itself
};

// From what `compiler --version` prints; wrappers of MPI and ccache hand that on. nullopt: none that is known.
std::optional<Compiler> recognise(std::string_view version_text);

// The folders of headers that come with the compiler and the system, from what `gcc -v -E` prints in the C locale:
// absolute, without those that lie in another one of them, and without those that no unquoted word of a command line
// can have.
std::vector<std::string> system_header_folders(std::string_view search_text);

struct Flag {
    std::string text; // one word, nothing in it that a shell would look at
    std::string why;
};

// instead: only where the flag before it is not understood.
struct WantedFlag {
    Flag flag;
    bool instead = false;
};
// In the order of the command line.
std::vector<WantedFlag> flags_to_start_with(const Compiler& compiler, const std::vector<std::string>& header_folders);

} // namespace vftr::advice
