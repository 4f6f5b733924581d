// SPDX-License-Identifier: BSD-3-Clause
//
// Different functions of one object that have one name, such as static functions of several source files, and what
// tells them apart.
//
// Whether a name is shared is asked of the object's symbol tables, whatever was called: so all processes and ranks that
// loaded the object name a function alike, and profiles are merged by names. A local symbol follows the one of its
// source file, which needs no debug information. Where there is debug information, functions that begin at the same
// line of the same file are one function, such as a static one in a header that many files include.
//
// The function that others see, or the only one whose file is not known, keeps the bare name. The others are told apart
// by the last part of their file's path ("a.c"); where that is not enough and there is debug information, by as many
// folders before it as it takes ("x/util.c"), or by the line ("util.c:12"); else by their address in the object
// ("util.c 0x1139", "0x1139").
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
    // As SourceLines::place and declaration.
    struct Source {
        std::function<std::optional<SourcePlace>(std::uint64_t file_address)> place, declaration;
    };

    // Of the local functions in the index. Reads the names of all functions of the sources, if there is one; asks for
    // places only of functions that share a name, and for declarations only of those that begin at one place. Throws
    // std::bad_alloc.
    SharedNames(std::span<SymbolSource> sources, const SymbolIndex& index, const Source& source);

    // What tells the function that begins here from others of its name; empty: nothing has to.
    std::string_view origin(std::uint64_t start) const {
        const auto found = origins_.find(start);
        return found == origins_.end() ? std::string_view() : std::string_view(found->second);
    }

private:
    std::unordered_map<std::uint64_t, std::string> origins_;
};

// "init (a.c)"; the name alone where there is no origin.
std::string with_origin(std::string name, std::string_view origin);
// The name alone, of either.
std::string_view without_origin(std::string_view name);

} // namespace vftr::symbols
