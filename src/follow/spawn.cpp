// SPDX-License-Identifier: BSD-3-Clause
#include "follow/spawn.hpp"

#include "follow/nested.hpp"
#include "follow/next_program.hpp"
#include "follow/trace.hpp"

#include <cerrno>

namespace vftr::follow {

int spawn(Spawn real, pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
          const posix_spawnattr_t* attributes, Texts argv, Texts envp) {
    int error_before = errno;
    if (nested() || !should_intercept() || !path || !arguments_are_readable(path, argv, envp)) {
        errno = error_before;
        return real(pid, path, actions, attributes, argv, envp);
    }
    char parent[inherit::ProvenanceSize];
    return with_environment(
        envp, next_provenance(process_role(), next_spawn_number(), parent), [&](const inherit::Plan& plan) {
            auto with = [&](Texts environment) {
                RealCall call;
                errno = error_before;
                return real(pid, path, actions, attributes, argv, environment);
            };
            int error = with(plan.environment);
            if (error == E2BIG && plan.environment != envp)
                error = with(envp);
            int after = errno;
            const Options& o = options();
            trace(o.trace_path, {error == 0 ? "posix-spawn-ok" : "posix-spawn-failed", path, o.checkpoint, nullptr,
                                 o.chain, plan.action, error == 0 ? 0 : -1, error});
            errno = after;
            return error;
        });
}

} // namespace vftr::follow
