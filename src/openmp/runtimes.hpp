// SPDX-License-Identifier: BSD-3-Clause
//
// Which OpenMP runtime a call goes to. LLVM's offers the entry points of libgomp too; where it tells of itself by OMPT, what goes there through
// our wrappers is not recorded a second time.
#pragma once

#include <atomic>
#include <cstdint>

namespace vftr::openmp {

// The addresses of a loaded object.
struct Range {
    std::uintptr_t low = 0, size = 0;
    bool has(const void* address) const { return reinterpret_cast<std::uintptr_t>(address) - low < size; }
};
// Of the object that `address` lies in; empty where there is none.
Range object_range(const void* address);

// The runtime that `address` lies in tells of itself by OMPT. One per process, as the runtime's own rule is.
void leave_to_ompt(const void* address);

namespace detail {
inline constinit std::atomic<std::uintptr_t> ompt_low{0}, ompt_size{0};
}
inline bool left_to_ompt(const void* target) {
    return reinterpret_cast<std::uintptr_t>(target) - detail::ompt_low.load(std::memory_order_relaxed) <
           detail::ompt_size.load(std::memory_order_relaxed);
}

} // namespace vftr::openmp
