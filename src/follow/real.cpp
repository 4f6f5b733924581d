// SPDX-License-Identifier: BSD-3-Clause
#include "follow/real.hpp"

#include "base/next_function.hpp"
#include "base/system_call.hpp"
#include "follow/path_search.hpp"

#include <alloca.h>
#include <fcntl.h>
#include <unistd.h>

extern "C" {
// A weak reference, which is resolved in a static link only.
int __posix_spawn(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                  char* const*) __attribute__((weak));
}

namespace vftr::follow {

namespace {

struct Real {
    int (*execve)(const char*, Texts, Texts);
    int (*execvpe)(const char*, Texts, Texts);
    int (*fexecve)(int, Texts, Texts);
    int (*execveat)(int, const char*, Texts, Texts, int);
    int (*posix_spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, Texts, Texts);
    int (*posix_spawnp)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, Texts, Texts);
    void (*exit)(int);
    SystemCall* syscall;
};
Real real{};

template <class Function>
void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(base::next_function(name));
}

int failed(int error) {
    errno = error;
    return -1;
}

int kernel_execve(const char* path, Texts argv, Texts envp) {
    return -static_cast<int>(base::system_call(SYS_execve, path, argv, envp));
}

// Executes a program; a file whose format the kernel does not know is executed as a script of the shell, as execvp
// does.
int execute_or_interpret(const char* path, Texts argv, Texts envp) {
    int error = kernel_execve(path, argv, envp);
    if (error != ENOEXEC)
        return error;
    std::size_t count = 0;
    while (argv[count])
        ++count;
    auto** more = static_cast<const char**>(alloca((count + 3) * sizeof(char*)));
    more[0] = "/bin/sh";
    more[1] = path;
    for (std::size_t i = 1; i <= count; ++i)
        more[i + 1] = argv[i];
    if (count == 0)
        more[2] = nullptr;
    return kernel_execve(more[0], const_cast<Texts>(more), envp);
}

} // namespace

void find_real_functions() {
    find(real.execve, "execve");
    find(real.execvpe, "execvpe");
    find(real.fexecve, "fexecve");
    find(real.execveat, "execveat"); // exists from glibc 2.34 on
    find(real.posix_spawn, "posix_spawn");
    find(real.posix_spawnp, "posix_spawnp");
    find(real.exit, "_exit");
    find(real.syscall, "syscall");
}

SystemCall* real_system_call() { return real.syscall; }

int real_execve(const char* path, Texts argv, Texts envp) {
    return real.execve ? real.execve(path, argv, envp) : failed(kernel_execve(path, argv, envp));
}

int real_execvpe(const char* file, Texts argv, Texts envp) {
    if (real.execvpe)
        return real.execvpe(file, argv, envp);
    return failed(search_path(file, [&](const char* path) { return execute_or_interpret(path, argv, envp); }));
}

int real_fexecve(int fd, Texts argv, Texts envp) {
    if (real.fexecve)
        return real.fexecve(fd, argv, envp);
    if (fd < 0 || !argv || !envp)
        return failed(EINVAL);
    return real_execveat(fd, "", argv, envp, AT_EMPTY_PATH);
}

int real_execveat(int directory, const char* path, Texts argv, Texts envp, int flags) {
    if (real.execveat)
        return real.execveat(directory, path, argv, envp, flags);
    return failed(-static_cast<int>(base::system_call(SYS_execveat, directory, path, argv, envp, flags)));
}

int real_posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                     const posix_spawnattr_t* attributes, Texts argv, Texts envp) {
    if (!real.posix_spawn)
        find(real.posix_spawn, "posix_spawn"); // called before the library's constructor
    if (real.posix_spawn)
        return real.posix_spawn(pid, path, actions, attributes, argv, envp);
    return __posix_spawn ? __posix_spawn(pid, path, actions, attributes, argv, envp) : ENOSYS;
}

int real_posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                      const posix_spawnattr_t* attributes, Texts argv, Texts envp) {
    if (!real.posix_spawnp)
        find(real.posix_spawnp, "posix_spawnp");
    if (real.posix_spawnp)
        return real.posix_spawnp(pid, file, actions, attributes, argv, envp);
    return search_path(file,
                       [&](const char* path) { return real_posix_spawn(pid, path, actions, attributes, argv, envp); });
}

void real_exit(int status) {
    if (real.exit)
        real.exit(status);
    for (;;)
        base::system_call(SYS_exit_group, status);
}

} // namespace vftr::follow
