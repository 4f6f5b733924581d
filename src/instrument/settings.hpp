// SPDX-License-Identifier: BSD-3-Clause
//
// The options of gcc's plugin, -fplugin-arg-vftrace-gcc-NAME=VALUE. That of clang has none.
#pragma once

#include "instrument/function_list.hpp"
#include "instrument/rules.hpp"

#include <string>
#include <string_view>

namespace vftr::instrument {

struct Settings {
    Rules rules;
    FunctionList include, exclude;
    std::string report; // the file to which a line is appended for each function; "": none

    Wish wish(const std::string& linker_name, bool fortran) const {
        return exclude.has(linker_name, fortran)   ? Wish::Exclude
               : include.has(linker_name, fortran) ? Wish::Include
                                                   : Wish::Nothing;
    }
};

// Sets one option. Returns what is wrong with it and what is allowed; "": nothing.
std::string set_option(Settings& settings, std::string_view name, std::string_view value);

} // namespace vftr::instrument
