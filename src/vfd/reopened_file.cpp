// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/reopened_file.hpp"

#include "vfd/blocks.hpp"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace vftr::vfd {

namespace {

int open_unnamed(const char* path) {
    char folder[4096];
    const char* slash = std::strrchr(path, '/');
    int size = slash ? static_cast<int>(slash - path) + 1 : 0;
    if (size == 0 || static_cast<std::size_t>(std::snprintf(folder, sizeof folder, "%.*s", size, path)) >= sizeof folder) {
        errno = EINVAL;
        return -1;
    }
    return ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);
}

// 0, or errno.
int give_name(int fd, const char* path) {
    char name[32];
    std::snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return ::linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

} // namespace

void ReopenedFile::set_first_path(const char* path) {
    forget();
    std::snprintf(paths_[0], sizeof paths_[0], "%s", path);
    path_ = paths_[0];
}

void ReopenedFile::forget() {
    device_ = inode_ = 0;
    path_ = "";
}

ReopenedFile::Begun ReopenedFile::begin(const char* path, std::size_t bytes, bool named) {
    Begun begun{path, named, -1, 0, bytes, nullptr, 0, 0};
    begun.fd = named ? ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644) : open_unnamed(path);
    if (begun.fd < 0) {
        begun.error = errno;
        return begun;
    }
    struct stat status {};
    fstat(begun.fd, &status);
    begun.device = status.st_dev;
    begun.inode = status.st_ino;
    begun.error = allocate_blocks(begun.fd, 0, bytes);
    if (begun.error == 0) {
        begun.memory = map_blocks(begun.fd, 0, bytes, nullptr);
        begun.error = begun.memory ? 0 : errno;
    }
    return begun;
}

// 0, or errno: then nothing is left of it.
int ReopenedFile::finish(const Begun& begun) {
    if (begun.fd < 0)
        return begun.error;
    const int error = begun.error != 0 || begun.named ? begun.error : give_name(begun.fd, begun.path);
    ::close(begun.fd);
    if (error == 0) {
        device_ = begun.device;
        inode_ = begun.inode;
    } else {
        if (begun.memory)
            munmap(begun.memory, begun.bytes);
        if (begun.named)
            ::unlink(begun.path);
    }
    return error;
}

int ReopenedFile::open() const {
    for (int tries = 1;; ++tries) {
        const char* path = path_.load(std::memory_order_acquire);
        int fd = base::open_uncancelled(path, O_RDWR | O_CLOEXEC);
        int error = fd < 0 ? -fd : 0;
        struct stat status {};
        if (fd >= 0) {
            if (fstat(fd, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_)
                return fd;
            error = ESTALE;
            ::close(fd);
        }
        if (error == EINTR)
            continue;
        // Perhaps it is being renamed just now.
        if ((error != ENOENT && error != ESTALE) || tries >= 1000)
            return -error;
        if (tries < 100)
            sched_yield();
        else
            usleep(100); // that thread may be waiting for a processor
    }
}

int ReopenedFile::rename(const char* new_path) {
    base::CancellationLater whole;
    if (!created())
        return ENOENT;
    char* other = path_ == paths_[0] ? paths_[1] : paths_[0];
    std::snprintf(other, sizeof paths_[0], "%s", new_path);
    if (::rename(path_, new_path) != 0)
        return errno;
    path_.store(other, std::memory_order_release);
    return 0;
}

void ReopenedFile::remove() {
    if (created())
        ::unlink(path());
}

} // namespace vftr::vfd
