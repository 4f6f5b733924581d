// SPDX-License-Identifier: BSD-3-Clause
#include "follow/load.hpp"

#include "base/secure.hpp"
#include "follow/inherited_environment.hpp"
#include "follow/own_environment.hpp"
#include "follow/process_role.hpp"
#include "follow/real.hpp"
#include "follow/system_call_entry.hpp"
#include "inherit/injected_variables.hpp"

#include <cerrno>
#include <unistd.h>

namespace vftr::follow {

void load(char** envp) {
    if (base::has_foreign_rights())
        inherit::remove_all_variables(environ, envp == environ ? nullptr : envp);
    find_real_functions();
    if (auto* real = real_system_call())
        pass_system_calls_to(real);
    prepare_process_role();
    copy_own_environment();
    prepare();
    // The injected variables are hidden from the program; the wrappers of exec add them again. If nothing is followed,
    // the wrappers add nothing, and the next program can get these variables from `environ` only: then they stay.
    if (inherited_environment().follow && !inherited_environment().secure && environ &&
        !inherit::sends_its_environment(program_invocation_short_name))
        inherit::remove_injected_variables(environ, envp == environ ? nullptr : envp);
}

} // namespace vftr::follow
