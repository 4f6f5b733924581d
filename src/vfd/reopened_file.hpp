// SPDX-License-Identifier: BSD-3-Clause
//
// A file that is known by its path, and of which no descriptor stays open.
//
// Why. Programs close descriptors they do not know (daemons), count them, or expect the next open to return 3. So the file is
// opened by its path for each growth, which is rare, and checked to be the same inode; mappings do not need the descriptor.
// What is at the path may change meanwhile: another thread of ours moves the file, or somebody removes it, which is an error then.
#pragma once

#include "base/cancellation.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <unistd.h>

namespace vftr::vfd {

class ReopenedFile {
public:
    // Creates `path` (absolute; it must not exist) with `bytes` zeros, which stay mapped; fill(memory) writes what it is to begin with. Where
    // the file system can do that, the file has no name before that. 0, or errno.
    template <class Fill>
    int create(const char* path, std::size_t bytes, Fill fill);
    // There is no file; one of before stays where it is.
    void forget();

    bool created() const { return inode_ != 0; } // complete or not
    const char* path() const { return path_.load(std::memory_order_acquire); }

    // A descriptor, or −errno. Any thread, also while one renames the file.
    int open() const;
    // Calls use(descriptor) where the file can be opened. errno is kept.
    template <class Use>
    void with(Use use) const;

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
    void set_first_path(const char* path);
    static Begun begin(const char* path, std::size_t bytes, bool named);
    int finish(const Begun& begun);

    std::uint64_t device_ = 0, inode_ = 0;
    std::atomic<const char*> path_{""}; // one of:
    char paths_[2][4096] = {};
};

// Without a name at first, a process that is killed just now leaves nothing; with one, an empty file.
template <class Fill>
int ReopenedFile::create(const char* path, std::size_t bytes, Fill fill) {
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
void ReopenedFile::with(Use use) const {
    base::CancellationLater whole;
    int saved = errno;
    if (int fd = open(); fd >= 0) {
        use(fd);
        ::close(fd);
    }
    errno = saved;
}

} // namespace vftr::vfd
