// SPDX-License-Identifier: BSD-3-Clause
//
// The wrappers of close, closefrom and close_range, which leave the recorder's own descriptor open.
//
// Daemons and programs that separate privileges close all descriptors that they do not know, and the recorder's is one
// of them (vfd/path_backed_file.hpp). Where such a program has also given up its rights (setuid) or its root folder
// (chroot), no path leads to the recording any more: it could not grow, and if the program was killed, all that came
// afterwards was lost. File space that is reserved in time would be used up one day, and a second thread or process
// that holds the file open would be visible. Therefore the program is told that the descriptor is closed, but it stays
// open.
//
// - Only the recorder's number is spared, and only while the recording is behind it: where the program has put a file
//   of its own there (dup2), that file is closed. To close another number costs a comparison more.
// - close returns 0 for the recorder's number: a program that closes it has either tried all numbers and ignores the
//   result, or has found the number in /proc/self/fd, where it is open.
// - A forked child that is not recorded yet closes what it has of its parent's recording.
// - Where the descriptor is closed without these wrappers (syscall, libvftrace.a), the recording grows by its path, as
//   long as that leads to it.
//
// They are in the shared library only: in a fully static executable, they would be the only functions of these names.
// Any thread may call them, also in a signal handler and in a child of vfork, so the C library's functions are looked
// up before the program begins; until then, system calls are made instead.
#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "base/next_function.hpp"
#include "base/system_call.hpp"
#include "record/recorder.hpp"
#include "session/session.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <unistd.h>

namespace {

// A library that a thread loads may bring vftrace with it: other threads call these while they are being looked up.
struct RealClose {
    std::atomic<int (*)(int)> close;
    std::atomic<void (*)(int)> closefrom; // glibc has this and the next one from 2.34 on
    std::atomic<int (*)(unsigned, unsigned, int)> close_range;
};
RealClose real_close;

__attribute__((constructor)) void find_close_functions() {
    vftr::base::kept_next_function(real_close.close, "close");
    vftr::base::kept_next_function(real_close.closefrom, "closefrom");
    vftr::base::kept_next_function(real_close.close_range, "close_range");
}

// The recorder's descriptor if it is among these; −1: it is not.
int spared_descriptor(unsigned first, unsigned last) {
    const int kept = vftr::record::recorder.writer.kept_descriptor();
    if (kept < 0 || static_cast<unsigned>(kept) < first || static_cast<unsigned>(kept) > last ||
        !vftr::session::running())
        return -1;
    const vftr::base::ErrnoPreserved preserved;
    return vftr::record::recorder.writer.keeps(kept) ? kept : -1;
}

int as_function(long result) {
    if (result < 0)
        errno = static_cast<int>(-result);
    return result < 0 ? -1 : 0;
}

int close_one(int descriptor) {
    const auto real = real_close.close.load(std::memory_order_relaxed);
    return real ? real(descriptor) : as_function(vftr::base::system_call(SYS_close, descriptor));
}

int close_several(unsigned first, unsigned last, int flags) {
    if (const auto real = real_close.close_range.load(std::memory_order_relaxed))
        return real(first, last, flags);
#ifdef SYS_close_range
    return as_function(vftr::base::system_call(SYS_close_range, first, last, flags));
#else
    return as_function(-ENOSYS);
#endif
}

// As close_range is not known to older kernels; and closefrom is no cancellation point, as close is.
void close_each(int first, int end) {
    for (int number = first; number < end; ++number)
        vftr::base::system_call(SYS_close, number);
}

} // namespace

extern "C" {

VFTR_INTERPOSED int close(int descriptor) {
    const auto number = static_cast<unsigned>(descriptor);
    return spared_descriptor(number, number) < 0 ? close_one(descriptor) : 0;
}

VFTR_INTERPOSED int close_range(unsigned first, unsigned last, int flags) noexcept {
    const int spared = spared_descriptor(first, last);
    if (spared < 0)
        return close_several(first, last, flags);
    const auto number = static_cast<unsigned>(spared);
    const int below = first < number ? close_several(first, number - 1, flags) : 0;
    const int above = number < last ? close_several(number + 1, last, flags) : 0;
    return below == 0 ? above : below;
}

VFTR_INTERPOSED void closefrom(int first) noexcept {
    if (first < 0)
        first = 0;
    const int spared = spared_descriptor(static_cast<unsigned>(first), INT_MAX);
    const int rest = spared < 0 ? first : spared + 1;
    close_each(first, spared);
    if (const auto real = real_close.closefrom.load(std::memory_order_relaxed))
        real(rest);
    else if (vftr::base::preserving_errno([&] { return close_several(static_cast<unsigned>(rest), UINT_MAX, 0); }) != 0)
        close_each(rest, static_cast<int>(sysconf(_SC_OPEN_MAX)));
}

} // extern "C"
