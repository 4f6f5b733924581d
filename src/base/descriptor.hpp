// SPDX-License-Identifier: BSD-3-Clause
//
// All files that vftrace opens inside the user's process are opened by these functions.
//
// Programs may have closed their standard streams (daemons do), may count descriptors, and may expect the next open to
// return the lowest free number. If a recording had descriptor 0, 1 or 2, the program's output would be written into
// the recording. Therefore the free numbers among these three are occupied while a file is opened, by descriptors that
// can be neither read nor written (O_PATH, for which read and write return EBADF as for a closed descriptor). The new
// descriptor is then moved to LowestDescriptor or above. If the limit of open files leaves no such number, it keeps its
// number, which is never 0, 1 or 2.
//
// Another thread may not see that: what opens files is done within with_own_descriptors() (own_descriptors.hpp).
//
// The functions make raw system calls: they do not set errno and are not cancellation points. They may be called in a
// signal handler, in a child of vfork, and below an interposed function. The descriptors are closed when the process
// executes another program.
#pragma once

#include <sys/types.h>

namespace vftr::base {

constexpr int StandardStreams = 3; // the number of them, and of the first descriptor behind them
constexpr int LowestDescriptor = 64;

// As openat(2) with O_CLOEXEC. Returns a descriptor or −errno; it is −EMFILE if only 0, 1 or 2 would be free.
int open_file(const char* path, int flags, mode_t mode = 0);
int open_file_at(int folder, const char* path, int flags, mode_t mode = 0);

// As open_file, but reports errors as open(2) does: returns −1 and sets errno.
int open_file_or_errno(const char* path, int flags, mode_t mode = 0);

// Returns 0 or −errno. Descriptors from these functions must be closed by this one: a race detector that saw the open
// but not the close would take two files with the same number for one.
int close_file(int descriptor);

bool standard_streams_are_open();
// Takes those numbers of the standard streams that are free, for good. Only where nobody else has this table of
// descriptors.
void occupy_standard_streams();

} // namespace vftr::base
