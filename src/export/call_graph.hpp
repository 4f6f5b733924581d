// SPDX-License-Identifier: BSD-3-Clause
//
// The call graph: functions by name and who calls whom, whatever the paths. What is below a function that is on the
// path already counts once, in its outermost call there; likewise what is below a call from one function to another.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vftr::exports {

struct CallGraph {
    struct Function {
        std::string name;                                      // as tables show it, in full
        std::uint32_t node = 0;                                // the first of its paths
        std::uint64_t calls = 0, exclusive = 0, inclusive = 0; // ns
    };
    struct Calls {
        std::uint64_t calls = 0, inclusive = 0; // ns
    };
    std::vector<Function> functions; // in the order of a walk through the tree, depth first
    // By caller and callee, indices into `functions`.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Calls> calls;
};

CallGraph call_graph(const analysis::Profile& profile);

} // namespace vftr::exports
