// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the functions of libgomp in front of which vftrace puts its wrappers.
//
// Which function a call means: without vftrace the dynamic linker would take the next definition of the name. If the
// runtime is visible to all objects, this is the same for all callers, and one dlsym finds it. If plugins have loaded a
// runtime privately (RTLD_LOCAL), two plugins may have loaded two runtimes; then the definition that the caller's own
// object would see is kept for the addresses of that object. If the linker has left the runtime out, because vftrace
// offers all the functions that the program uses (--as-needed), it is loaded here. dlsym returns the default version of
// a name, which is the right one for all programs of gcc 4.4 and later.
#pragma once

#include "base/compiler.hpp"
#include "openmp/runtimes.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::openmp {

// There is one object per wrapper. All are zero at first, so that a program without OpenMP touches none of their pages.
// Any thread may use them, without a lock once the caller's object is known.
class Entry {
public:
    // Returns the function that a call of `name` from `code` means; `name` must always be the same. It ends the process
    // with one line if there is no such function, as the dynamic linker would. It preserves errno.
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
