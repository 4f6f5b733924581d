// SPDX-License-Identifier: BSD-3-Clause
//
// Where the program is when it calls the runtime from a function that we called for the runtime: the text of a region
// or task. A compiler may make the last call in it a jump; that call then returns to us, which names no place of the
// program. The beginning of the text stands for it. The function that calls the program's is alone in a section, so
// that such an address is known by two comparisons.
#pragma once

#include "base/compiler.hpp"

#include <cstdint>

namespace vftr::openmp {

namespace detail {
extern __thread const void* running_text __attribute__((tls_model("initial-exec")));
extern "C" __attribute__((visibility("hidden"))) const char __start_vftr_omp_text[];
extern "C" __attribute__((visibility("hidden"))) const char __stop_vftr_omp_text[];
} // namespace detail

// Calls text(data).
void run_text(void (*text)(void*), void* data);

// As if the function's first byte called.
inline const void* call_at_begin_of(const void* text) { return static_cast<const char*>(text) + 1; }

// `code`: what a call of the runtime returns to.
inline const void* place_in_program(const void* code) {
    const auto* at = static_cast<const char*>(code);
    if (VFTR_UNLIKELY(at > detail::__start_vftr_omp_text && at <= detail::__stop_vftr_omp_text))
        return call_at_begin_of(detail::running_text);
    return code;
}

} // namespace vftr::openmp
