// SPDX-License-Identifier: BSD-3-Clause
//
// The exit codes of vftr, of which exit_codes.def says what they mean. vftr run and vftr cc pass on those of what they
// start; vftr run's own are those of shells.
#pragma once

namespace vftr::cli {

enum ExitCode : int {
#define VFTR_EXIT_CODE(name, code, shown, meaning) Exit##name = code,
#include "config_tools/exit_codes.def"
#undef VFTR_EXIT_CODE
};

// Of a verb that goes on where a part cannot be done.
inline ExitCode exit_code(bool all_done) { return all_done ? ExitDone : ExitFailed; }
// Of a command that cannot be started.
inline ExitCode exit_code_of_exec(bool is_there) { return is_there ? ExitNotExecutable : ExitNotFound; }

} // namespace vftr::cli
