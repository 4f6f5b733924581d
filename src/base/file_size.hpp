// SPDX-License-Identifier: BSD-3-Clause
//
// A write beyond RLIMIT_FSIZE raises SIGXFSZ, one to a pipe that nobody reads SIGPIPE: both kill the program. While one
// of these objects lives, the calling thread gets an error instead (EFBIG, EPIPE): the signal is blocked, and one that
// we caused is taken off again.
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
