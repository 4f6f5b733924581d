// SPDX-License-Identifier: BSD-3-Clause
#include "base/run_delay.hpp"

#include "base/errno_preserved.hpp"
#include "base/file_beginning.hpp"
#include "base/message.hpp"
#include "base/system_call.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace vftr::base {

namespace {

// "/proc/self/task/<tid>/schedstat"
struct ThreadFile {
    ThreadFile() {
        const Number thread(static_cast<unsigned long long>(system_call(SYS_gettid)));
        char* at = text;
        for (const std::string_view part :
             {std::string_view("/proc/self/task/"), std::string_view(thread), std::string_view("/schedstat")})
            at = std::copy(part.begin(), part.end(), at);
        *at = '\0';
    }
    char text[64];
};

} // namespace

std::uint64_t run_delay_ns() {
    const ThreadFile path;
    char text[80]; // ns on a core, ns ready to run, times on a core
    const std::size_t bytes = preserving_errno([&] { return read_beginning(path.text, text, sizeof text); });
    const char *begin = text, *end = text + bytes;
    std::uint64_t delay = 0;
    if (const char* space = std::find(begin, end, ' '); space != end)
        std::from_chars(space + 1, end, delay);
    return delay;
}

} // namespace vftr::base
