// SPDX-License-Identifier: BSD-3-Clause
//
// A list of functions in a file, one a line: a function's name in tables; this name without parameters, for all
// functions that have it; the linker's name; or /REGEX/, a regular expression (PCRE2) that is searched for in the name
// in tables. Empty lines and lines that begin with # are skipped. `vftr filter suggest` writes such files.
#pragma once

#include "symbols/pattern.hpp"

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace vftr::instrument {

class FunctionList {
public:
    // Adds the lines of a file. Returns what is wrong with it ("list.txt:3: …"); "": nothing.
    std::string read(const std::string& file);

    bool empty() const { return names_.empty() && expressions_.empty(); }
    // Whether the list has the function. `fortran`: it was written in Fortran.
    bool has(const std::string& linker_name, bool fortran) const;

private:
    std::unordered_set<std::string> names_;
    std::vector<symbols::Pattern> expressions_;
};

// The function's name in tables.
std::string name_in_tables(const std::string& linker_name, bool fortran);

} // namespace vftr::instrument
