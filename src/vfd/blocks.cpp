// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/blocks.hpp"

#include "base/file_size.hpp"
#include "base/race_detectors.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::vfd {

namespace {

int write_zeros(int fd, std::uint64_t offset, std::size_t bytes) {
    static const char zeros[65536] = {};
    while (bytes != 0) {
        ssize_t n = pwrite(fd, zeros, std::min(bytes, sizeof zeros), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : ENOSPC;
        offset += static_cast<std::uint64_t>(n);
        bytes -= static_cast<std::size_t>(n);
    }
    return 0;
}

} // namespace

int allocate_blocks(int fd, std::uint64_t offset, std::size_t bytes) {
    base::NoFileSizeSignal guard;
    struct stat status {};
    if (fstat(fd, &status) != 0)
        return errno;
    if (static_cast<std::uint64_t>(status.st_size) > offset && !free_blocks(fd, offset, bytes))
        return write_zeros(fd, offset, bytes);
    for (;;) {
        if (fallocate(fd, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0)
            return 0;
        if (errno == EOPNOTSUPP || errno == ENOSYS)
            return write_zeros(fd, offset, bytes);
        if (errno != EINTR)
            return errno;
    }
}

void* map_blocks(int fd, std::uint64_t offset, std::size_t bytes, void* address) {
    void* mapped = mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (address ? MAP_FIXED : 0), fd,
                        static_cast<off_t>(offset));
    if (mapped == MAP_FAILED)
        return nullptr;
    madvise(mapped, bytes, MADV_DONTFORK);
    base::hide_from_race_detectors(mapped, bytes);
    return mapped;
}

bool free_blocks(int fd, std::uint64_t offset, std::size_t bytes) {
    return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                     static_cast<off_t>(bytes)) == 0;
}

} // namespace vftr::vfd
