// SPDX-License-Identifier: BSD-3-Clause
//
// A file that is reopened each time it grows, which is rare. It is reopened by a descriptor that stays open with a
// number which the program does not use, or else by its path.
//
// Why it needs both: the path alone is lost after setuid, after chroot, or when a folder above it is renamed. The
// descriptor alone is lost in programs that close all descriptors they do not know (daemons), where the wrappers of
// session/interpose/close_entries.cpp do not see it. Such a program may even reuse the number for its own file.
// Therefore each use first duplicates the descriptor and checks that the duplicate is the inode of this file; nothing
// else is ever written to or closed. Where no duplicate can be had, as all numbers are taken or none may be, it is
// checked and used itself. The number is LowestDescriptor or above, because some programs rely on the next open to
// return 3. If the limit of open files leaves no such number, no descriptor stays open; nor where it was created by a
// helper (base/own_descriptors.hpp). The file at the path may change at any time: another thread of the recorder moves
// it, or somebody removes it, which is then an error.
#pragma once

#include "base/cancellation.hpp"
#include "base/descriptor.hpp"
#include "base/errno_preserved.hpp"
#include "base/own_descriptors.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <unistd.h>

namespace vftr::vfd {

class PathBackedFile {
public:
    // Creates `path` (absolute; it must not exist) with `bytes` zeros, which stay mapped. fill(memory) writes the
    // initial contents. Where the file system supports that, the file gets its name only after that. Returns 0 or
    // errno.
    template <class Fill>
    int create(const char* path, std::size_t bytes, Fill fill);
    // After this the object has no file; an existing file is not touched. The descriptor is closed, which a forked
    // child must do with the one that it has inherited.
    void forget();

    bool created() const { return inode_ != 0; } // the file may be incomplete
    const char* path() const {
        const char* path = path_.load(std::memory_order_acquire);
        return path ? path : "";
    }

    // Calls use(descriptor) and returns 0 if the file can be opened, else returns the error number. Any thread may call
    // it, also while another thread renames the file. The variable errno is preserved.
    template <class Use>
    int with(Use use);
    // Closes the descriptor; nothing will be added any more.
    void close();
    // The number of the descriptor that stays open, which is another file's where the program has taken it; −1: there
    // is none.
    int kept() const {
        const int kept = kept_.load(std::memory_order_relaxed);
        return kept == NotKept ? -1 : kept;
    }
    // Whether this descriptor is one of the file. The variable errno may change.
    bool is_ours(int descriptor) const { return is_ours(descriptor, Named::OrNot); }

    // Writes the current path of the file, as far as the system knows it, to the caller's buffer. Returns nullptr if no
    // path leads to the file any more.
    const char* whereabouts(char* buffer, std::size_t bytes);

    // Moves the file and replaces what is at new_path. Returns 0 or errno. Only one thread at a time may call it.
    int rename(const char* new_path);
    void remove();

private:
    // A file whose creation has begun.
    struct Begun {
        const char* path;
        bool named; // it has a name already
        int fd, error;
        std::size_t bytes;
        void* memory;
        std::uint64_t device, inode;
    };
    // They return a descriptor or −errno.
    int open_kept() const;
    int open_by_path();
    int find_by_path() const;
    enum class Named { OrNot, Still };
    bool is_ours(int descriptor, Named named) const;
    void keep(int descriptor);
    void keep_by_name(int descriptor);
    void set_first_path(const char* path);
    static Begun begin(const char* path, std::size_t bytes, bool named);
    int finish(const Begun& begun);

    // All of this is zero at first, so that a static object takes no space in the library's file.
    static constexpr int NotKept = 0; // a kept descriptor is at least base::LowestDescriptor
    std::uint64_t device_ = 0, inode_ = 0;
    std::atomic<int> kept_{NotKept};         // the program may have closed it and reused its number
    std::atomic<const char*> path_{nullptr}; // points into one of paths_; nullptr: there is no file
    char paths_[2][4096] = {};
};

// If the process is killed during this, an unnamed file leaves nothing behind, and a named one leaves an empty file.
template <class Fill>
int PathBackedFile::create(const char* path, std::size_t bytes, Fill fill) {
    set_first_path(path);
    int error = 0;
    base::with_own_descriptors([&] {
        for (bool named : {false, true}) {
            const Begun begun = begin(path, bytes, named);
            if (begun.error == 0)
                fill(begun.memory);
            error = finish(begun);
            if (error == 0 || error == EEXIST)
                break;
        }
    });
    return error;
}

template <class Use>
int PathBackedFile::with(Use use) {
    base::CancellationDeferred deferred;
    const base::ErrnoPreserved preserved;
    const auto use_and_close = [&](int fd) {
        if (fd >= 0) {
            use(fd);
            base::close_file(fd);
        }
        return fd < 0 ? -fd : 0;
    };
    const int kept = open_kept();
    if (kept >= 0)
        return use_and_close(kept);
    int error = 0;
    base::with_own_descriptors([&] { error = use_and_close(open_by_path()); });
    // A sandbox may allow no new descriptors (RLIMIT_NOFILE); the one that is there works nevertheless.
    if (error != 0 && (kept == -EMFILE || kept == -EINVAL) && is_ours(kept_, Named::Still)) {
        use(kept_);
        return 0;
    }
    return error;
}

} // namespace vftr::vfd
