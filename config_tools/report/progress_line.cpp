// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/progress_line.hpp"

#include <cstdio>
#include <unistd.h>

namespace vftr::cli {

namespace {
constexpr const char* Erased = "\r\033[K"; // ECMA-48: erase to the end of the line
}

ProgressLine::ProgressLine(bool wanted) : wanted_(wanted && ::isatty(STDERR_FILENO)) {}

void ProgressLine::show(double part) {
    if (!wanted_ || Clock::now() < next_)
        return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    shown_ = true;
    std::fprintf(stderr, "%svftr export: %s, %.0f %%", Erased, what_.c_str(), 100 * part);
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (shown_)
        std::fputs(Erased, stderr);
    shown_ = false;
}

} // namespace vftr::cli
