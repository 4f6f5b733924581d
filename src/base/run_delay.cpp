// SPDX-License-Identifier: BSD-3-Clause
#include "base/run_delay.hpp"

#include "base/descriptor.hpp"
#include "base/system_call.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>

namespace vftr::base {

std::uint64_t run_delay_ns() {
    const int fd = open_file("/proc/thread-self/schedstat", O_RDONLY);
    if (fd < 0)
        return 0;
    char text[80]; // ns on a core, ns ready to run, times on a core
    const auto bytes = system_call(SYS_read, fd, text, sizeof text);
    close_file(fd);
    const char *begin = text, *end = text + std::max<long>(bytes, 0);
    std::uint64_t delay = 0;
    if (const char* space = std::find(begin, end, ' '); space != end)
        std::from_chars(space + 1, end, delay);
    return delay;
}

} // namespace vftr::base
