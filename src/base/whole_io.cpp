// SPDX-License-Identifier: BSD-3-Clause
#include "base/whole_io.hpp"

#include "base/system_call.hpp"

#include <cerrno>

namespace vftr::base {

ssize_t read_at(int fd, void* to, std::size_t bytes, std::uint64_t offset) {
    std::size_t done = 0;
    while (done < bytes) {
        const long n = system_call(SYS_pread64, fd, static_cast<char*>(to) + done, bytes - done, offset + done);
        if (n == -EINTR)
            continue;
        if (n < 0) {
            errno = static_cast<int>(-n);
            return -1;
        }
        if (n == 0)
            break;
        done += static_cast<std::size_t>(n);
    }
    return static_cast<ssize_t>(done);
}

namespace {

// write_some(data, bytes, done) returns how many bytes it wrote, or −errno.
template <class Write>
int write_whole(const void* from, std::size_t bytes, Write write_some) {
    const auto* data = static_cast<const char*>(from);
    for (std::size_t done = 0; done < bytes;) {
        const long n = write_some(data + done, bytes - done, done);
        if (n == -EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? static_cast<int>(-n) : ENOSPC;
        done += static_cast<std::size_t>(n);
    }
    return 0;
}

} // namespace

int write_all(int fd, const void* from, std::size_t bytes) {
    return write_whole(from, bytes, [fd](const char* data, std::size_t size, std::size_t) {
        return system_call(SYS_write, fd, data, size);
    });
}

int write_at(int fd, const void* from, std::size_t bytes, std::uint64_t offset) {
    return write_whole(from, bytes, [fd, offset](const char* data, std::size_t size, std::size_t done) {
        return system_call(SYS_pwrite64, fd, data, size, offset + done);
    });
}

} // namespace vftr::base
