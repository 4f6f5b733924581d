// SPDX-License-Identifier: BSD-3-Clause
//
// A file that is opened again for each growth, which is rare: by a descriptor that stays open out of the program's way,
// else by its path.
//
// Why both. The path alone is lost after setuid, chroot, or when a folder above it is renamed. The descriptor alone is
// lost in programs that close what they do not know (daemons). Those may even use its number for a file of their own:
// so before each use a copy of the descriptor is made and checked to be our inode, and nothing else is ever written to
// or closed. It is at LowestDescriptor or above, for programs that count on the next open to return 3; where the limit
// of open files leaves no such number, none stays open. What is at the path may change meanwhile: another thread of
// ours moves the file, or somebody removes it, which is an error then.
#pragma once

#include "base/cancellation.hpp"
#include "base/descriptor.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <unistd.h>

namespace vftr::vfd {

class PathBackedFile {
public:
    // Creates `path` (absolute; it must not exist) with `bytes` zeros, which stay mapped; fill(memory) writes what it
    // is to begin with. Where the file system can do that, the file has no name before that. 0, or errno.
    template <class Fill>
    int create(const char* path, std::size_t bytes, Fill fill);
    // There is no file; one of before stays where it is. Its descriptor goes, as one that a forked child has inherited
    // must.
    void forget();

    bool created() const { return inode_ != 0; } // complete or not
    const char* path() const { return path_.load(std::memory_order_acquire); }

    // Calls use(descriptor) where the file can be opened; else errno is returned, not 0. Any thread, also while one
    // renames the file. The variable errno is kept.
    template <class Use>
    int with(Use use);
    // Nothing will be added any more.
    void close();
    // Where it is now, as far as the system tells, in the caller's buffer; nullptr where nothing leads to it any more.
    const char* whereabouts(char* buffer, std::size_t bytes);

    // Moves the file, replacing what is there. 0 or errno. One thread at a time.
    int rename(const char* new_path);
    void remove();

private:
    // A file whose creation has begun.
    struct Begun {
        const char* path;
        bool named; // already
        int fd, error;
        std::size_t bytes;
        void* memory;
        std::uint64_t device, inode;
    };
    // A descriptor or −errno.
    int open();
    int open_kept() const;
    int open_by_path() const;
    enum class Named { OrNot, Still };
    bool is_ours(int descriptor, Named named = Named::OrNot) const;
    void keep(int descriptor);
    void keep_by_name(int descriptor);
    void set_first_path(const char* path);
    static Begun begin(const char* path, std::size_t bytes, bool named);
    int finish(const Begun& begun);

    std::uint64_t device_ = 0, inode_ = 0;
    std::atomic<int> kept_{-1};         // the program may have closed it, and used the number for something else
    std::atomic<const char*> path_{""}; // one of:
    char paths_[2][4096] = {};
};

// Without a name at first, a process that is killed just now leaves nothing; with one, an empty file.
template <class Fill>
int PathBackedFile::create(const char* path, std::size_t bytes, Fill fill) {
    set_first_path(path);
    int error = 0;
    for (bool named : {false, true}) {
        const Begun begun = begin(path, bytes, named);
        if (begun.error == 0)
            fill(begun.memory);
        error = finish(begun);
        if (error == 0 || error == EEXIST)
            break;
    }
    return error;
}

template <class Use>
int PathBackedFile::with(Use use) {
    base::CancellationDeferred whole;
    const int saved = errno;
    const int fd = open();
    if (fd >= 0) {
        use(fd);
        base::close_file(fd);
    }
    errno = saved;
    return fd < 0 ? -fd : 0;
}

} // namespace vftr::vfd
