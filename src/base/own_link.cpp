// SPDX-License-Identifier: BSD-3-Clause
#include "base/own_link.hpp"

#include "base/descriptor.hpp"
#include "base/system_call.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace vftr::base {

namespace {

// On the machines that base/system_call.hpp supports, the kernel's struct stat is that of the C library.
bool belongs_to_user_or_root(const struct stat& status) {
    return status.st_uid == 0 || status.st_uid == static_cast<uid_t>(system_call(SYS_geteuid));
}

} // namespace

int open_through_own_links(const char* path, int flags, mode_t mode) {
    const int fd = open_file(path, flags | O_NOFOLLOW, mode);
    if (fd != -ELOOP && fd != -ENOTDIR) // the latter with O_DIRECTORY
        return fd;
    const int link = open_file(path, O_PATH | O_NOFOLLOW);
    struct stat status;
    const bool known = link >= 0 && system_call(SYS_fstat, link, &status) == 0 && S_ISLNK(status.st_mode);
    if (link >= 0)
        close_file(link);
    if (!known)
        return fd;
    return belongs_to_user_or_root(status) ? open_file(path, flags, mode) : -ELOOP;
}

} // namespace vftr::base
