// SPDX-License-Identifier: BSD-3-Clause
#include "base/compiler.hpp"
#include "follow/spawn.hpp"

extern "C" {

VFTR_INTERPOSED int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
    return vftr::follow::spawn(vftr::follow::real_posix_spawn, pid, path, actions, attributes, argv, envp);
}

VFTR_INTERPOSED int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                                 const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
    return vftr::follow::spawn(vftr::follow::real_posix_spawnp, pid, file, actions, attributes, argv, envp);
}

} // extern "C"
