// SPDX-License-Identifier: BSD-3-Clause
//
// Helpers for a FileHeader: its strings (which are 0-terminated only if there is room), a check whether it was written
// on this machine, and a copy of it.
#pragma once

#include "base/clock.hpp"
#include "vfd/format.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <unistd.h>

namespace vftr::vfd {

template <std::size_t N>
std::string string_of(const char (&field)[N]) {
    return std::string(field, strnlen(field, N));
}

// Returns this machine's name, truncated as FileHeader::hostname is.
inline std::string own_hostname() {
    char name[sizeof FileHeader::hostname] = {};
    ::gethostname(name, sizeof name - 1);
    return name;
}

inline bool is_of_this_host(const FileHeader& header) { return string_of(header.hostname) == own_hostname(); }

inline ClockPair clock_pair(const base::Moment& moment) {
    return {moment.ticks, moment.monotonic_ns, moment.realtime_ns};
}

// Copies the header of a recording that may still be written: its threads refresh the clocks meanwhile, so it is read
// word by word.
inline FileHeader copy_of(const FileHeader& header) {
    static_assert(sizeof header % sizeof(std::uint64_t) == 0 && alignof(FileHeader) == alignof(std::uint64_t));
    std::uint64_t words[sizeof header / sizeof(std::uint64_t)];
    const auto* from = reinterpret_cast<const std::byte*>(&header);
    for (std::size_t i = 0; i < std::size(words); ++i)
        words[i] = __atomic_load_n(reinterpret_cast<const std::uint64_t*>(from + i * sizeof *words), __ATOMIC_RELAXED);
    FileHeader copy;
    std::memcpy(&copy, words, sizeof copy);
    return copy;
}

} // namespace vftr::vfd
