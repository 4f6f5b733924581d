// SPDX-License-Identifier: BSD-3-Clause
//
// The search for a program in PATH, as execvp and posix_spawnp do it (exec(3)). Used in executables in which these
// functions of the C library cannot be called (real.hpp).
#pragma once

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace vftr::follow {

// attempt(path) tries to execute one candidate and returns an error number, or 0 if it has succeeded. Returns the
// result of the whole search in the same way.
template <class Attempt>
int search_path(const char* file, Attempt attempt) {
    std::string_view name(file);
    if (name.empty())
        return ENOENT;
    if (name.find('/') != std::string_view::npos)
        return attempt(file);
    if (name.size() > NAME_MAX)
        return ENAMETOOLONG;
    const char* path = std::getenv("PATH");
    std::string_view rest(path ? path : "/bin:/usr/bin");
    int result = ENOENT;
    for (bool more = true; more;) {
        std::size_t end = rest.find(':');
        more = end != std::string_view::npos;
        std::string_view directory = rest.substr(0, end);
        rest.remove_prefix(more ? end + 1 : rest.size());
        char candidate[PATH_MAX + NAME_MAX + 2];
        if (directory.size() > PATH_MAX)
            continue;
        std::memcpy(candidate, directory.data(), directory.size());
        std::size_t used = directory.size();
        if (used != 0) // an empty entry is the working directory
            candidate[used++] = '/';
        std::memcpy(candidate + used, file, name.size() + 1);
        switch (int error = attempt(candidate)) {
        case EACCES:
            result = EACCES; // the result if no later entry has a file that can be executed
            break;
        case ENOENT:
        case ENOTDIR:
        case ESTALE:
        case ENODEV:
        case ETIMEDOUT:
            break;
        default:
            return error;
        }
    }
    return result;
}

} // namespace vftr::follow
