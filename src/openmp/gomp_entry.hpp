// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of libgomp that we stand before.
//
// Which function a call means. The dynamic linker would take the first definition behind ours. Where the runtime is in
// everybody's view that is the same for all callers, and dlsym says it once. Where plugins have brought it for
// themselves (RTLD_LOCAL), two of them may have brought two runtimes; then what the caller's own object would have seen
// is remembered for the addresses of that object. Where the linker has left the runtime out, since what is used of it
// we offer too (--as-needed), it is loaded here. dlsym gives the default version of a name, which is what all programs
// of gcc 4.4 and later want.
#pragma once

#include "base/compiler.hpp"
#include "openmp/runtimes.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::openmp {

// One per wrapper; all zero at first, so that a program without OpenMP touches none of them. Any thread. No lock once
// the caller's object is known.
class Entry {
public:
    // Where a call from `code` of the function `name`, always the same, goes to. Ends the process with one line where
    // there is no such function, as the dynamic linker would. Keeps errno.
    void* target(const char* name, const void* code) {
        void* everywhere = everywhere_.load(std::memory_order_relaxed);
        return VFTR_LIKELY(everywhere != nullptr) ? everywhere : target_of(name, code);
    }

private:
    struct Local {
        Range callers;
        void* target = nullptr;
        const Local* next = nullptr;
    };
    VFTR_COLD void* target_of(const char* name, const void* code);
    VFTR_COLD void remember(const void* code, void* target);

    std::atomic<void*> everywhere_{nullptr};
    std::atomic<const Local*> locals_{nullptr};
};

} // namespace vftr::openmp
