// SPDX-License-Identifier: BSD-3-Clause
//
// Which OpenMP runtime a call goes to. LLVM's offers the entry points of libgomp too; where it tells of itself by OMPT,
// what goes there through our wrappers is not recorded a second time. There the runtime takes the wrapper for the
// program that calls it, and is put right.
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
struct SharedRange {
    std::atomic<std::uintptr_t> low{0}, size{0};
    bool has(const void* address) const {
        return reinterpret_cast<std::uintptr_t>(address) - low.load(std::memory_order_relaxed) <
               size.load(std::memory_order_relaxed);
    }
};
inline constinit SharedRange of_ompt, of_ours;
// What the wrapper that this thread is in returns to, where it is left to OMPT.
inline __thread const void* passed_on __attribute__((tls_model("initial-exec"))) = nullptr;
} // namespace detail

inline bool left_to_ompt(const void* target) { return detail::of_ompt.has(target); }

// What a call that the runtime says returns to `code` returns to in the program.
inline const void* in_the_program(const void* code) {
    return detail::of_ours.has(code) && detail::passed_on ? detail::passed_on : code;
}

} // namespace vftr::openmp
