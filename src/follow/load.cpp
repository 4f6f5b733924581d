// SPDX-License-Identifier: BSD-3-Clause
//
// What is done when the library is loaded, in every program, recorded or not: it must be cheap.
#include "follow/inherited_environment.hpp"
#include "follow/own_environment.hpp"
#include "follow/process_role.hpp"
#include "follow/real.hpp"
#include "follow/system_call_entry.hpp"
#include "inherit/injected_variables.hpp"

#include <cerrno>
#include <unistd.h>

namespace {

__attribute__((constructor(101))) void prepare(int, char**, char** envp) {
    vftr::follow::find_real_functions();
    if (auto* real = vftr::follow::real_system_call())
        vftr::follow::pass_system_calls_to(real);
    vftr::follow::prepare_process_role();
    vftr::follow::copy_own_environment();
    vftr::follow::prepare();
    // Where nothing is followed the next program gets from us but what is there.
    if (vftr::follow::inherited_environment().follow && !vftr::follow::inherited_environment().secure && environ &&
        !vftr::inherit::sends_its_environment(program_invocation_short_name))
        vftr::inherit::remove_injected_variables(environ, envp == environ ? nullptr : envp);
}

} // namespace
