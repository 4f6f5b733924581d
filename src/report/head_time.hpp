// SPDX-License-Identifier: BSD-3-Clause
//
// A time as the head of the log shows it.
#pragma once

#include "report/number_text.hpp"

#include <cstdint>
#include <string>

namespace vftr::report {

inline std::string shown(double ns) { return seconds(ns, 2); }
inline std::string shown(std::uint64_t ns) { return shown(static_cast<double>(ns)); }
inline bool shows_as_nothing(double ns) { return shown(ns) == shown(0.0); }

} // namespace vftr::report
