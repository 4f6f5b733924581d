// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/blocks.hpp"

#include "base/file_size.hpp"
#include "base/race_detectors.hpp"
#include "base/system_call.hpp"
#include "base/whole_io.hpp"

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
    for (std::size_t done = 0; done < bytes; done += sizeof zeros)
        if (const int error = base::write_at(fd, zeros, std::min(bytes - done, sizeof zeros), offset + done))
            return error;
    return 0;
}

// Returns 0 or −errno.
long call_fallocate(int fd, int mode, std::uint64_t offset, std::size_t bytes) {
    return base::system_call(SYS_fallocate, fd, mode, offset, bytes);
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
        const long result = call_fallocate(fd, 0, offset, bytes);
        if (result == -EOPNOTSUPP || result == -ENOSYS)
            return write_zeros(fd, offset, bytes);
        if (result != -EINTR)
            return static_cast<int>(-result);
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
    return call_fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, bytes) == 0;
}

} // namespace vftr::vfd
