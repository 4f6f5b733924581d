// SPDX-License-Identifier: BSD-3-Clause
//
// Every file that vftrace opens inside the user's process is opened here.
//
// Programs may have closed their standard streams (daemons do), may count descriptors, and may expect the next open to
// return the lowest free number. A descriptor of ours at 0, 1 or 2 would be fatal: what the program prints would go
// into the recording. So a file is opened while the free ones among these three numbers are occupied by descriptors
// with which nothing can be read or written (O_PATH, which answers read and write with EBADF as a closed one does), and
// its descriptor is then moved to LowestDescriptor or above. Where the limit of open files leaves no room there, it
// stays where it is, but never at 0, 1 or 2.
//
// The functions make raw system calls: they set no errno, they are no cancellation points, they may be called in a
// signal handler, in a child of vfork, and below an interposed function. The descriptor is closed when the process
// executes another program.
#pragma once

#include <sys/types.h>

namespace vftr::base {

constexpr int LowestDescriptor = 64;

// As openat(2), with O_CLOEXEC added. Returns a descriptor or −errno; −EMFILE if nothing but 0, 1 or 2 is free.
int open_file(const char* path, int flags, mode_t mode = 0);
int open_file_at(int folder, const char* path, int flags, mode_t mode = 0);

// As open_file, but as open(2) tells it: −1 and errno.
int open_file_or_errno(const char* path, int flags, mode_t mode = 0);

// 0 or −errno. What was opened here is closed here: race detectors that see one and not the other take two files of one
// number for one.
int close_file(int descriptor);

} // namespace vftr::base
