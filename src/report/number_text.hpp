// SPDX-License-Identifier: BSD-3-Clause
//
// Formats numbers and names for the log. This also runs inside the user's process, so nothing here uses the program's
// locale, and the decimal separator is always a point.
#pragma once

#include "analysis/profile/rank_list.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vftr::report {

std::string fixed(double value, int decimals);
// A number such as "1.234e+09".
std::string scientific(double value, int decimals);
std::string seconds(double ns, int decimals);
// A fraction of 1 as "12.3 %".
std::string percent(double share);
// A duration with its unit: "512 ns", "3.1 µs", "12.3 ms", "4.56 s".
std::string duration_text(std::uint64_t ns);
// A number of things: "1 call", "3 calls", "1.5 million calls".
std::string counted(std::uint64_t number, const std::string& one);
// A size with its unit: "9765 B", "95.4 KiB", "9313.2 GiB".
std::string bytes_text(double bytes);

// The number of characters (UTF-8 code points), not bytes.
std::size_t width(std::string_view text);
// Replaces control characters by '?', and cuts the string to `limit` characters by replacing its middle by "...".
std::string fit(std::string_view text, std::size_t limit);

// As fit(), but replaces the end of a longer string by "...".
std::string head(std::string_view text, std::size_t limit);

// A list of ranks: {2, 5, 6, 7} becomes "2, 5-7".
std::string range_list(const analysis::RankList& ranks);
// The same list with its noun: "rank 2", "ranks 2, 5-7".
std::string ranks_text(const analysis::RankList& ranks);
// The shortest form that identifies the number: "0.5", "30".
std::string plain(double value);
// Local time as "Sat Nov 21 01:34:17 2026".
std::string date(std::uint64_t realtime_ns);

} // namespace vftr::report
