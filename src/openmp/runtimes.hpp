// SPDX-License-Identifier: BSD-3-Clause
//
// Which OpenMP runtime a call goes to. LLVM's runtime offers the entry points of libgomp, too. If it reports its events
// by OMPT, calls that reach it through vftrace's wrappers are not recorded a second time. In these calls the runtime
// reports an address in the wrapper as the call site, which in_the_program() replaces by the program's.
#pragma once

#include <atomic>
#include <cstdint>

namespace vftr::openmp {

// The address range of a loaded object.
struct Range {
    std::uintptr_t low = 0, size = 0;
    bool has(const void* address) const { return reinterpret_cast<std::uintptr_t>(address) - low < size; }
};
// The range of the object that contains `address`; empty if there is none.
Range object_range(const void* address);

// Notes that the runtime which contains `address` reports its events by OMPT. There is one per process, as the runtime
// itself requires.
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
// The return address of the wrapper that this thread is in, if the call is left to OMPT.
inline __thread const void* passed_on __attribute__((tls_model("initial-exec"))) = nullptr;
} // namespace detail

inline bool left_to_ompt(const void* target) { return detail::of_ompt.has(target); }

// Returns the call site in the program for a return address that the runtime has reported.
inline const void* in_the_program(const void* code) {
    return detail::of_ours.has(code) && detail::passed_on ? detail::passed_on : code;
}

} // namespace vftr::openmp
