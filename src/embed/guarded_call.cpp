// SPDX-License-Identifier: BSD-3-Clause
#include "embed/guarded_call.hpp"

#include <atomic>

namespace vftr::embed {

namespace {
std::atomic<std::uint64_t> caught{0};
}

void guarded_call(record::Listening& listening, void (*function)(void*, const void*), void* user, const void* event) {
    listening.callback_stack = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    function(user, event);
}

std::uint64_t exceptions_caught() { return caught.load(std::memory_order_relaxed); }

} // namespace vftr::embed

namespace vftr::record {

bool callback_is_there(const ThreadState&) { return true; }

} // namespace vftr::record
