// SPDX-License-Identifier: BSD-3-Clause
//
// Writing beyond RLIMIT_FSIZE raises SIGXFSZ, which kills the program. While this object lives, the calling thread gets the
// error EFBIG instead: the signal is blocked, and one that we caused is taken off again.
#pragma once

#include <csignal>

namespace vftr::base {

class NoFileSizeSignal {
public:
    NoFileSizeSignal();
    ~NoFileSizeSignal();
    NoFileSizeSignal(const NoFileSizeSignal&) = delete;
    NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

private:
    sigset_t signal_, before_;
    bool was_pending_;
};

} // namespace vftr::base
