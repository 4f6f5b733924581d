// SPDX-License-Identifier: BSD-3-Clause
#include "tui/kept_stderr.hpp"

#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <sys/mman.h>
#include <unistd.h>

namespace vftr::tui {

KeptStderr::KeptStderr() {
    if (!::isatty(STDERR_FILENO))
        return;
    kept_ = ::memfd_create("stderr", MFD_CLOEXEC);
    real_ = ::dup(STDERR_FILENO);
    std::fflush(stderr);
    if (kept_ >= 0 && real_ >= 0)
        static_cast<void>(::dup2(kept_, STDERR_FILENO));
}

KeptStderr::~KeptStderr() {
    std::fflush(stderr);
    if (kept_ >= 0 && real_ >= 0) {
        static_cast<void>(::dup2(real_, STDERR_FILENO));
        static_cast<void>(::lseek(kept_, 0, SEEK_SET));
        char buffer[4096];
        for (ssize_t got; (got = ::read(kept_, buffer, sizeof buffer)) > 0;)
            std::fwrite(buffer, 1, static_cast<std::size_t>(got), stderr);
    }
    for (const int descriptor : {kept_, real_})
        if (descriptor >= 0)
            ::close(descriptor);
}

void KeptStderr::forget() {
    std::fflush(stderr);
    if (kept_ >= 0 && ::ftruncate(kept_, 0) == 0)
        static_cast<void>(::lseek(kept_, 0, SEEK_SET));
}

} // namespace vftr::tui
