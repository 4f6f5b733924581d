// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/path_backed_file.hpp"

#include "base/sleep.hpp"
#include "base/system_call.hpp"
#include "vfd/blocks.hpp"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace vftr::vfd {

namespace {

// Returns a descriptor or −errno.
int open_unnamed(const char* path) {
    char folder[4096];
    const char* slash = std::strrchr(path, '/');
    int size = slash ? static_cast<int>(slash - path) + 1 : 0;
    if (size == 0 ||
        static_cast<std::size_t>(std::snprintf(folder, sizeof folder, "%.*s", size, path)) >= sizeof folder)
        return -EINVAL;
    return base::open_file(folder, O_TMPFILE | O_RDWR, 0644);
}

// Returns 0 or errno.
int give_name(int fd, const char* path) {
    char name[40];
    std::snprintf(name, sizeof name, "/proc/thread-self/fd/%d", fd);
    return ::linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

} // namespace

void PathBackedFile::set_first_path(const char* path) {
    forget();
    std::snprintf(paths_[0], sizeof paths_[0], "%s", path);
    path_ = paths_[0];
}

void PathBackedFile::forget() {
    close();
    device_ = inode_ = 0;
    path_ = nullptr;
}

PathBackedFile::Begun PathBackedFile::begin(const char* path, std::size_t bytes, bool named) {
    Begun begun{path, named, -1, 0, bytes, nullptr, 0, 0};
    begun.fd = named ? base::open_file(path, O_RDWR | O_CREAT | O_EXCL, 0644) : open_unnamed(path);
    if (begun.fd < 0) {
        begun.error = -begun.fd;
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

// If a file is mapped by a descriptor that was opened without a name, /proc/PID/maps shows the mapping without a name
// for good, although tools look there for the recording of a process. Therefore the file is opened again by its name.
void PathBackedFile::keep_by_name(int descriptor) {
    const int named = base::open_file(path(), O_RDWR);
    const bool ours = named >= 0 && is_ours(named);
    keep(ours ? named : descriptor);
    if (named >= 0)
        base::close_file(named);
}

// Returns 0, or errno if it failed; then nothing is left of the file.
int PathBackedFile::finish(const Begun& begun) {
    if (begun.fd < 0)
        return begun.error;
    const int error = begun.error != 0 || begun.named ? begun.error : give_name(begun.fd, begun.path);
    if (error == 0) {
        device_ = begun.device;
        inode_ = begun.inode;
        keep_by_name(begun.fd);
    }
    base::close_file(begun.fd);
    if (error != 0) {
        if (begun.memory)
            munmap(begun.memory, begun.bytes);
        if (begun.named)
            ::unlink(begun.path);
    }
    return error;
}

bool PathBackedFile::is_ours(int descriptor, Named named) const {
    struct stat status {};
    return fstat(descriptor, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_ &&
           (named == Named::OrNot || status.st_nlink != 0);
}

// Keeps a duplicate of the descriptor open, unless it would be a helper's.
void PathBackedFile::keep(int descriptor) {
    if (descriptor < base::LowestDescriptor || base::descriptor_table() != 0)
        return;
    const auto copy =
        static_cast<int>(base::system_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, base::LowestDescriptor));
    int before = kept_.load();
    if (copy >= 0 && (is_ours(before) || !kept_.compare_exchange_strong(before, copy)))
        base::close_file(copy); // another thread was faster
}

void PathBackedFile::close() {
    if (const int kept = kept_.exchange(NotKept); kept != NotKept && is_ours(kept))
        base::close_file(kept);
}

int PathBackedFile::open_kept() const {
    const int kept = kept_.load();
    const int fd = kept == NotKept
                       ? -EBADF
                       : static_cast<int>(base::system_call(SYS_fcntl, kept, F_DUPFD_CLOEXEC, base::LowestDescriptor));
    if (fd < 0 || is_ours(fd, Named::Still)) // nobody would find a file that was removed
        return fd;
    base::close_file(fd);
    return -ESTALE;
}

int PathBackedFile::open_by_path() {
    const int fd = find_by_path();
    if (fd >= 0)
        keep(fd);
    return fd;
}

int PathBackedFile::find_by_path() const {
    for (int tries = 1;; ++tries) {
        const int fd = base::open_file(path(), O_RDWR);
        if (fd >= 0 && is_ours(fd))
            return fd;
        const int error = fd < 0 ? -fd : ESTALE;
        if (fd >= 0)
            base::close_file(fd);
        if (error == EINTR)
            continue;
        // Another thread may be renaming the file at this moment.
        if ((error != ENOENT && error != ESTALE) || tries >= 1000)
            return -error;
        if (tries < 100)
            sched_yield();
        else
            base::sleep_microseconds(100); // that thread may be waiting for a core
    }
}

const char* PathBackedFile::whereabouts(char* buffer, std::size_t bytes) {
    const char* place = nullptr;
    struct stat status {};
    const bool at_path = ::stat(path(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
    if (at_path)
        return path();
    with([&](int fd) {
        if (fstat(fd, &status) != 0 || status.st_nlink == 0)
            return;
        char name[40];
        std::snprintf(name, sizeof name, "/proc/thread-self/fd/%d", fd);
        place = path(); // the last known path, if nothing else is known
        const ssize_t size = ::readlink(name, buffer, bytes - 1);
        if (size <= 0)
            return;
        // Only the folder of this path is used, because for a file that had no name at first the kernel says for good
        // that it was deleted.
        buffer[size] = '\0';
        const char* own_name = std::strrchr(place, '/');
        char* end = std::strrchr(buffer, '/');
        if (!own_name || !end || static_cast<std::size_t>(end - buffer) + std::strlen(own_name) >= bytes)
            return;
        std::strcpy(end, own_name);
        place = buffer;
    });
    return place;
}

int PathBackedFile::rename(const char* new_path) {
    base::CancellationDeferred deferred;
    if (!created())
        return ENOENT;
    char* other = path_ == paths_[0] ? paths_[1] : paths_[0];
    std::snprintf(other, sizeof paths_[0], "%s", new_path);
    if (::rename(path(), new_path) != 0)
        return errno;
    path_.store(other, std::memory_order_release);
    return 0;
}

void PathBackedFile::remove() {
    if (created())
        ::unlink(path());
    close();
}

} // namespace vftr::vfd
