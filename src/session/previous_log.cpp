// SPDX-License-Identifier: BSD-3-Clause
#include "session/previous_log.hpp"

#include "base/descriptor.hpp"
#include "report/report.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::session {
namespace {

std::string aside(const std::string& path) { return path + ".previous"; }

enum class What { Nothing, Log, Other };

What what_is(const std::string& path) {
    const int fd = base::open_file(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return fd == -ENOENT ? What::Nothing : What::Other;
    struct stat status {};
    char text[128];
    ssize_t n = -1;
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1 && status.st_uid == ::geteuid())
        n = ::read(fd, text, sizeof text);
    base::close_file(fd);
    return n > 0 && report::begins_as_log({text, static_cast<std::size_t>(n)}) ? What::Log : What::Other;
}

} // namespace

void set_previous_log_aside(const std::string& path) {
    if (what_is(path) == What::Log && what_is(aside(path)) != What::Other)
        ::rename(path.c_str(), aside(path).c_str());
}

void remove_previous_log(const std::string& path) {
    if (what_is(aside(path)) == What::Log)
        ::unlink(aside(path).c_str());
}

} // namespace vftr::session
