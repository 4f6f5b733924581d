// SPDX-License-Identifier: BSD-3-Clause
//
// What a command line asks of a compiler of the families gcc and clang: whether it compiles, and whether it links a
// program or shared library.
#pragma once

#include <string>
#include <vector>

namespace vftr::cli {

struct CompilerCall {
    bool has_input = false; // without a file there is nothing to do: --version, -print-search-dirs
    bool links = false;     // the result needs libvftrace
    bool is_static = false; // -static, -static-pie
};

// `arguments` are those behind the compiler's name. Files of arguments (@file) are read; one that cannot be read is
// left to the compiler.
CompilerCall compiler_call(const std::vector<std::string>& arguments);

// The words of a file of arguments, as gcc reads it: blanks separate them, quotes and backslashes keep blanks in them.
std::vector<std::string> words_of_response_file(const std::string& text);

} // namespace vftr::cli
