// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/watch/terminal.hpp"

#include "config_tools/option_number.hpp"

#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace vftr::cli {

namespace {

// 0: it does not say.
std::size_t columns_of_environment() {
    std::size_t columns = 0;
    const char* text = std::getenv("COLUMNS");
    return text && parse_number(text, columns) ? columns : 0;
}

} // namespace

OutputSize output_size(std::FILE* out) {
    winsize size{};
    if (!::isatty(::fileno(out))) {
        const std::size_t columns = columns_of_environment();
        return {false, columns ? columns : 120, 24, columns != 0};
    }
    if (::ioctl(::fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return {true, 80, 24, true};
    return {true, size.ws_col, size.ws_row, true};
}

OutputSize batch_size(std::FILE* out) {
    OutputSize size = output_size(out);
    size.terminal = false;
    if (const std::size_t columns = columns_of_environment()) {
        size.columns = columns;
        size.told = true;
    }
    return size;
}

} // namespace vftr::cli
