// SPDX-License-Identifier: BSD-3-Clause
#include "base/process.hpp"

#include "base/message.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace vftr::base {

namespace {

// As much of a file as there is room for; 0 where it cannot be read.
std::size_t read_some(const char* path, char* out, std::size_t room) {
    int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    std::size_t used = 0;
    while (used < room) {
        ssize_t n = ::read(fd, out + used, room - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        used += static_cast<std::size_t>(n);
    }
    ::close(fd);
    return used;
}

} // namespace

std::uint64_t process_start(pid_t pid) {
    char path[32] = "/proc/";
    Number number(static_cast<unsigned long long>(pid));
    std::string_view digits = number;
    std::memcpy(path + 6, digits.data(), digits.size());
    std::memcpy(path + 6 + digits.size(), "/stat", 6);
    char text[1024];
    std::string_view stat(text, read_some(path, text, sizeof text));
    // The second field is the name in parentheses, which may hold anything; the third follows its last parenthesis.
    std::size_t at = stat.rfind(')');
    for (int field = 2; field < 22 && at != std::string_view::npos; ++field)
        at = stat.find(' ', at + 1);
    std::uint64_t start = 0;
    if (at != std::string_view::npos)
        for (++at; at < stat.size() && stat[at] >= '0' && stat[at] <= '9'; ++at)
            start = 10 * start + static_cast<std::uint64_t>(stat[at] - '0');
    return start;
}

std::size_t read_arguments(char* out, std::size_t room) {
    std::size_t used = read_some("/proc/self/cmdline", out, room);
    if (used != 0)
        out[used - 1] = '\0';
    return used;
}

} // namespace vftr::base
