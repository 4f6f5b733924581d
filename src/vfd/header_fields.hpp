// SPDX-License-Identifier: BSD-3-Clause
//
// Texts of a FileHeader, which are terminated only where there is room, and the machine that it is of.
#pragma once

#include "vfd/format.hpp"

#include <cstring>
#include <string>
#include <unistd.h>

namespace vftr::vfd {

template <std::size_t N>
std::string text_of(const char (&field)[N]) {
    return std::string(field, strnlen(field, N));
}

// This machine's name, cut as FileHeader::hostname is.
inline std::string own_hostname() {
    char name[sizeof FileHeader::hostname] = {};
    ::gethostname(name, sizeof name - 1);
    return name;
}

inline bool is_of_this_host(const FileHeader& header) { return text_of(header.hostname) == own_hostname(); }

} // namespace vftr::vfd
