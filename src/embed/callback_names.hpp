// SPDX-License-Identifier: BSD-3-Clause
//
// Names for callbacks. Each name is made once and kept for the life of the process.
//
// A function's name is looked up when a thread first reports a call path that ends with it; the look-up reads files and
// allocates memory, within a hook. Therefore no name is looked up if the program's allocator is active further out on
// the stack (it may be instrumented, or a signal handler may have interrupted it), because its lock may be held.
// Neither does a thread wait longer than a moment for another thread that looks up a name, because that thread may be
// waiting for a lock that this one holds. In both cases the name comes with a later call of the path.
#pragma once

#include "record/hot/thread_state.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::embed {

// The name of a node of the calling thread. nullptr: it cannot be looked up now.
const char* look_up_name(record::ThreadState& state, std::uint32_t node);

inline const char* name_of(record::ThreadState& state, std::uint32_t node) {
    const char** names = state.subscription.names;
    if (__builtin_expect(names && names[node], 1))
        return names[node];
    return look_up_name(state, node);
}

// The name of a node of any thread. nullptr: it cannot be looked up now.
const char* look_up_name(const vfd::Node& node);

// Makes a copy of a string that is never freed. nullptr: no memory.
const char* keep_text(const char* text, std::size_t size);

// Does what vftrace_path_text does.
std::size_t path_text(std::uint64_t path, char* buffer, std::size_t size);

// To be called outside of hooks, where the program may do anything.
void prepare_names();
// To be called in a forked child: a thread of the parent that was looking up a name does not exist there.
void forget_names_lock();

} // namespace vftr::embed
