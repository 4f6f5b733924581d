// SPDX-License-Identifier: BSD-3-Clause
#include "base/whole_io.hpp"

#include <cerrno>
#include <unistd.h>

namespace vftr::base {

ssize_t read_at(int fd, void* to, std::size_t bytes, std::uint64_t offset) {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t n = ::pread(fd, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += static_cast<std::size_t>(n);
    }
    return static_cast<ssize_t>(done);
}

int write_all(int fd, const void* from, std::size_t bytes) {
    const auto* data = static_cast<const char*>(from);
    while (bytes != 0) {
        const ssize_t n = ::write(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : ENOSPC;
        data += n;
        bytes -= static_cast<std::size_t>(n);
    }
    return 0;
}

} // namespace vftr::base
