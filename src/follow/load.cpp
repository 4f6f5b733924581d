// SPDX-License-Identifier: BSD-3-Clause
//
// What is done when the library is loaded, in every program, recorded or not: it must be cheap.
#include "follow/carried.hpp"
#include "follow/own_environment.hpp"
#include "follow/real.hpp"
#include "follow/standing.hpp"
#include "follow/system_call_entry.hpp"

namespace {

__attribute__((constructor(101))) void prepare() {
    vftr::follow::find_real_functions();
    if (auto* real = vftr::follow::real_system_call())
        vftr::follow::pass_system_calls_to(real);
    vftr::follow::prepare_standing();
    vftr::follow::copy_own_environment();
    vftr::follow::prepare();
}

} // namespace
