// SPDX-License-Identifier: BSD-3-Clause
//
// Finds different functions of one object that have the same name, such as static functions of several source files,
// and what distinguishes them.
//
// Whether a name is shared depends on the object's symbol tables only and not on what was called, so that all processes
// and ranks that loaded the object name a function in the same way and profiles can be merged by names. A local symbol
// follows the symbol of its source file, which needs no debug information. If there is debug information, functions
// that begin at the same line of the same file count as one function, such as a static one in a header that many files
// include. A clone that the compiler has made of a function (f.constprop.0) and another of its name in its file are one
// function.
//
// The function that other objects see, or the only one whose file is not known, keeps the bare name. The others get the
// last component of their file's path ("a.c"). If that is ambiguous and there is debug information, they get as many of
// the preceding folders as necessary ("x/util.c"), or the line ("util.c:12"); else their address in the object ("util.c
// 0x1139", "0x1139").
#pragma once

#include "symbols/source_lines.hpp"
#include "symbols/symbol_index.hpp"
#include "symbols/symbol_source.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vftr::symbols {

class SharedNames {
public:
    // See SourceLines::place and SourceLines::declaration.
    struct Source {
        std::function<std::optional<SourceLocation>(std::uint64_t file_address)> place, declaration;
    };

    // Finds the local functions in the index that share their names. If there are local functions, it reads the names
    // of all functions of the sources. It asks for source places only of functions that share a name, and for
    // declarations only of those that begin at the same place. Throws std::bad_alloc.
    SharedNames(std::span<SymbolSource> sources, const SymbolIndex& index, const Source& source);

    // Returns what distinguishes the function that begins here from others with its name, or an empty string if that is
    // not necessary.
    std::string_view origin(std::uint64_t start) const {
        const auto found = origins_.find(start);
        return found == origins_.end() ? std::string_view() : std::string_view(found->second);
    }

private:
    std::unordered_map<std::uint64_t, std::string> origins_;
};

// Returns a name such as "init (a.c)", or the bare name if there is no origin.
std::string with_origin(std::string name, std::string_view origin);
// Returns the bare name of either.
std::string_view without_origin(std::string_view name);

} // namespace vftr::symbols
