// SPDX-License-Identifier: BSD-3-Clause
//
// A write beyond RLIMIT_FSIZE raises SIGXFSZ, and a write to a pipe without readers raises SIGPIPE; both kill the
// program. While an object of these classes exists, the calling thread gets an error instead (EFBIG, EPIPE): the signal
// is blocked, and the destructor removes a pending one that vftrace itself has caused.
#pragma once

#include <csignal>

namespace vftr::base {

class BlockedSignal {
public:
    explicit BlockedSignal(int number);
    ~BlockedSignal();
    BlockedSignal(const BlockedSignal&) = delete;
    BlockedSignal& operator=(const BlockedSignal&) = delete;

private:
    sigset_t signal_, before_;
    bool was_pending_;
};

struct NoFileSizeSignal : BlockedSignal {
    NoFileSizeSignal() : BlockedSignal(SIGXFSZ) {}
};
struct NoPipeSignal : BlockedSignal {
    NoPipeSignal() : BlockedSignal(SIGPIPE) {}
};

} // namespace vftr::base
