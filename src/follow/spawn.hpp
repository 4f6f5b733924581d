// SPDX-License-Identifier: BSD-3-Clause
//
// posix_spawn is handled like exec (exec.hpp), but this process goes on, so its recording is not marked. File actions
// and attributes are passed on as the program gives them.
#pragma once

#include "follow/real.hpp"

namespace vftr::follow {

using Spawn = int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, Texts, Texts);

// `real` is real_posix_spawn or real_posix_spawnp. Returns the error number.
int spawn(Spawn real, pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
          const posix_spawnattr_t* attributes, Texts argv, Texts envp);

} // namespace vftr::follow
