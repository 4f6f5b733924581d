// SPDX-License-Identifier: BSD-3-Clause
//
// The wrappers of the C library's exec functions. Each function has its own, since they call each other by hidden
// names, which cannot be interposed.
#include "base/compiler.hpp"
#include "follow/exec.hpp"

#include <alloca.h>
#include <cstdarg>
#include <cstddef>
#include <unistd.h>

using vftr::follow::execute;
using vftr::follow::Texts;
using vftr::follow::Way;

namespace {

// Counts the arguments and the nullptr that ends them; so the result is 1 if `first` is that nullptr.
std::size_t count_arguments(const char* first, va_list* list) {
    std::size_t count = 1;
    for (const char* argument = first; argument; ++count)
        argument = va_arg(*list, const char*);
    return count;
}

Texts copy_arguments(const char** to, const char* first, std::size_t count, va_list* list) {
    to[0] = first;
    for (std::size_t i = 1; i < count; ++i)
        to[i] = va_arg(*list, const char*);
    return const_cast<Texts>(to);
}

} // namespace

// Copies the arguments of execl, execlp or execle, from `first` on, into the array `argv` on the stack of the calling
// function. Afterwards `list` stands behind the nullptr that ends them, where execle has its environment.
#define VFTR_ARGUMENTS(argv, first, list)                                                                              \
    va_list list;                                                                                                      \
    va_start(list, first);                                                                                             \
    std::size_t argument_count = count_arguments(first, &list);                                                        \
    va_end(list);                                                                                                      \
    va_start(list, first);                                                                                             \
    Texts argv = copy_arguments(static_cast<const char**>(alloca(argument_count * sizeof(char*))), first,              \
                                argument_count, &list)

extern "C" {

VFTR_INTERPOSED int execve(const char* path, char* const argv[], char* const envp[]) noexcept {
    return execute({Way::Path, path, argv, envp});
}

VFTR_INTERPOSED int execv(const char* path, char* const argv[]) noexcept {
    return execute({Way::Path, path, argv, environ});
}

VFTR_INTERPOSED int execvp(const char* file, char* const argv[]) noexcept {
    return execute({Way::Search, file, argv, environ});
}

VFTR_INTERPOSED int execvpe(const char* file, char* const argv[], char* const envp[]) noexcept {
    return execute({Way::Search, file, argv, envp});
}

VFTR_INTERPOSED int execl(const char* path, const char* argument, ...) noexcept {
    VFTR_ARGUMENTS(argv, argument, list);
    va_end(list);
    return execute({Way::Path, path, argv, environ});
}

VFTR_INTERPOSED int execlp(const char* file, const char* argument, ...) noexcept {
    VFTR_ARGUMENTS(argv, argument, list);
    va_end(list);
    return execute({Way::Search, file, argv, environ});
}

VFTR_INTERPOSED int execle(const char* path, const char* argument, ...) noexcept {
    VFTR_ARGUMENTS(argv, argument, list);
    char* const* envp = va_arg(list, char* const*);
    va_end(list);
    return execute({Way::Path, path, argv, envp});
}

VFTR_INTERPOSED int fexecve(int fd, char* const argv[], char* const envp[]) noexcept {
    return execute({Way::Descriptor, nullptr, argv, envp, fd});
}

VFTR_INTERPOSED int execveat(int directory, const char* path, char* const argv[], char* const envp[],
                             int flags) noexcept {
    return execute({Way::Relative, path, argv, envp, directory, flags});
}

} // extern "C"
