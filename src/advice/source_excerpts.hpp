// SPDX-License-Identifier: BSD-3-Clause
//
// The source text of functions, from their first lines. Debug information has where a function is declared, but where
// its text ends depends on the language, so the text itself tells: a body in braces ends with its last one, and a
// procedure of Fortran with its END statement. Where neither is found, the text goes on to the next function that is
// known, and to MostLines at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::advice {

inline constexpr std::size_t MostLines = 1000; // of an excerpt

// How many lines the function has that begins in the first one of these.
std::size_t lines_of_function(const std::vector<std::string>& lines, std::size_t first, bool fortran);

struct SourceExcerpt {
    std::string file;       // as the compiler noted it
    std::uint32_t line = 0; // of the first line of the text, from 1
    std::string text;       // its lines, which end with a newline; UTF-8 that is harmless to show
};

struct SourceExcerpts {
    std::vector<SourceExcerpt> excerpts; // by file and line
    std::size_t unread = 0;              // functions whose file could not be read, or has no such line
    std::size_t left_out = 0;            // functions for which there was no room
};

struct SourceStart {
    std::string file;
    std::uint32_t line;
    auto operator<=>(const SourceStart&) const = default;
};

// Of functions that begin at these places, those first that matter most, until the excerpts have `most_bytes`. A file
// that is no regular one, or larger than 16 MB, is not read.
SourceExcerpts source_excerpts(const std::vector<SourceStart>& starts, std::size_t most_bytes);

} // namespace vftr::advice
