// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of all runs, told apart by name, module and source file, and not by what changes from build to build.
// Profiles qualify a name by what identifies the module in one run ("plugin.so{1a2b3c4d}", symbols/qualified_name.hpp);
// here the file name of the module is enough ("plugin.so"), and functions of the program have none, unless the ranks of
// a job run several programs. A function without a symbol is known by its offset in a module of this build-id only.
#pragma once

#include "compare/sides.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::compare {

// The name by which functions of different builds are matched. `one_program`: the run has no other.
std::string function_key(std::string_view name, bool one_program);

struct FunctionKeys {
    static constexpr std::uint32_t Root = 0; // the root is no function, even if a function has its name

    explicit FunctionKeys(const Runs& runs);

    // By function: names as profiles have them (symbols/qualified_name.hpp).
    std::vector<std::string> names;
    // By run, then by its Profile::names: the function.
    PerSide<std::vector<std::vector<std::uint32_t>>> of_name;
};

} // namespace vftr::compare
