// SPDX-License-Identifier: BSD-3-Clause
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace vftr::cli {

OutputSize output_size(std::FILE* out) {
    winsize size{};
    if (!::isatty(::fileno(out)))
        return {false, 120, 24};
    if (::ioctl(::fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return {true, 80, 24};
    return {true, size.ws_col, size.ws_row};
}

} // namespace vftr::cli
