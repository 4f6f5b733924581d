// SPDX-License-Identifier: BSD-3-Clause
//
// The part of a run's timelines that is wanted.
#pragma once

#include "config/config.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace vftr::analysis {

struct Selection {
    config::RankSet ranks = config::RankSet::all();
    config::RankSet threads = config::RankSet::all(); // of ThreadRecord::index
    // Whether calls of the function with this name are wanted; empty: all. Callees of others are wanted all the same.
    std::function<bool(const std::string& name)> function;
    // Nanoseconds since the start of the run. Calls that are open at `from` begin there, those at `to` end there.
    std::uint64_t from = 0, to = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t shortest = 0; // ns: calls that take less are left out, except those that have not ended

    bool has_whole_time() const { return from == 0 && to == std::numeric_limits<std::uint64_t>::max(); }
    // Whether every call of a thread is wanted, from its begin to its end.
    bool has_whole_threads() const { return !function && has_whole_time() && shortest == 0; }
};

} // namespace vftr::analysis
