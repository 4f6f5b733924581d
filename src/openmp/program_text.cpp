// SPDX-License-Identifier: BSD-3-Clause
#include "openmp/program_text.hpp"

namespace vftr::openmp {

__thread const void* detail::running_text __attribute__((tls_model("initial-exec"))) = nullptr;

__attribute__((noinline, section("vftr_omp_text"))) void run_text(void (*text)(void*), void* data) {
    const void* outer = detail::running_text;
    detail::running_text = reinterpret_cast<const void*>(text);
    text(data);
    detail::running_text = outer;
}

} // namespace vftr::openmp
