// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the call site of a runtime call in the program if that call is made from a function that vftrace has called for
// the runtime: the outlined function of a region or task. A compiler may turn the last call in such a function into a
// jump; that call then returns into vftrace, and its return address is no address of the program. The beginning of the
// outlined function is used instead. run_text, which calls outlined functions, is alone in a section, so that two
// comparisons recognise such a return address.
#pragma once

#include "base/compiler.hpp"

#include <cstdint>

namespace vftr::openmp {

namespace detail {
extern __thread const void* running_text __attribute__((tls_model("initial-exec")));
extern "C" __attribute__((visibility("hidden"))) const char __start_vftr_omp_text[];
extern "C" __attribute__((visibility("hidden"))) const char __stop_vftr_omp_text[];
} // namespace detail

// Calls the outlined function text(data).
void run_text(void (*text)(void*), void* data);

// The return address of an imaginary call at the function's first byte.
inline const void* call_at_begin_of(const void* text) { return static_cast<const char*>(text) + 1; }

// `code`: the return address of a call of the runtime.
inline const void* place_in_program(const void* code) {
    const auto* at = static_cast<const char*>(code);
    if (VFTR_UNLIKELY(at > detail::__start_vftr_omp_text && at <= detail::__stop_vftr_omp_text))
        return call_at_begin_of(detail::running_text);
    return code;
}

} // namespace vftr::openmp
