// SPDX-License-Identifier: BSD-3-Clause
//
// posix_spawn: as exec (exec.hpp), but this process goes on, so nothing is marked. File actions and attributes are the
// program's.
#pragma once

#include "follow/real.hpp"

namespace vftr::follow {

using Spawn = int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, Texts, Texts);

// real: real_posix_spawn or real_posix_spawnp. Returns the error number.
int spawn(Spawn real, pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
          const posix_spawnattr_t* attributes, Texts argv, Texts envp);

} // namespace vftr::follow
