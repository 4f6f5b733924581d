// SPDX-License-Identifier: BSD-3-Clause
//
// Names for callbacks, each made once and kept for the life of the process.
//
// A function's name is looked up when a thread first tells of a call path that ends with it: that reads files and
// allocates, in a hook. So nothing is looked up where the program's allocator is at work further out on the stack (it
// may be instrumented, or a signal handler may have interrupted it): its lock may be held. Nor is anybody waited for
// who looks something up just now for longer than a moment: it may be waiting for what this thread holds. The name then
// comes with a later call of that path.
#pragma once

#include "record/hot/thread_state.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::embed {

// Of a node of the calling thread. nullptr: not now.
const char* look_up_name(record::ThreadState& state, std::uint32_t node);

inline const char* name_of(record::ThreadState& state, std::uint32_t node) {
    const char** names = state.subscription.names;
    if (__builtin_expect(names && names[node], 1))
        return names[node];
    return look_up_name(state, node);
}

// Of a node of any thread. nullptr: not now.
const char* look_up_name(const vfd::Node& node);

// A copy of a text, kept for good. nullptr: no memory.
const char* keep_text(const char* text, std::size_t size);

// As vftrace_path_text.
std::size_t path_text(std::uint64_t path, char* buffer, std::size_t size);

// While the program may be anywhere: not within a hook.
void prepare_names();
// In a forked child: whoever looked something up is not there.
void forget_names_lock();

} // namespace vftr::embed
