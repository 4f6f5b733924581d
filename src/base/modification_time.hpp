// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <sys/stat.h>

namespace vftr::base {

// When the file was written last, in ns of real time since 1970; the clock is that of its file system.
inline std::uint64_t modification_time(const struct stat& status) {
    return static_cast<std::uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(status.st_mtim.tv_nsec);
}

} // namespace vftr::base
