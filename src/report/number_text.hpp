// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers and names as the log shows them. Made inside the user's process too: nothing here looks
// at the program's locale, so a decimal point is always a point.
#pragma once

#include "analysis/rank_list.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vftr::report {

std::string fixed(double value, int decimals);
// 1.234e+09
std::string scientific(double value, int decimals);
std::string seconds(double ns, int decimals);
// Of a part of 1: "12.3 %".
std::string percent(double share);
// "9765 B", "95.4 KiB", "9313.2 GiB".
std::string bytes_text(double bytes);

// Characters (UTF-8 code points), not bytes.
std::size_t width(std::string_view text);
// Control characters as '?', and at most `limit` characters: the middle of a longer text becomes
// "...".
std::string fit(std::string_view text, std::size_t limit);

// Likewise, but of a longer text the end becomes "...".
std::string head(std::string_view text, std::size_t limit);

// {2, 5, 6, 7} → "2, 5-7".
std::string range_list(const analysis::RankList& ranks);
// "rank 2", "ranks 2, 5-7".
std::string ranks_text(const analysis::RankList& ranks);
// As few digits as tell it from other numbers: "0.5", "30".
std::string plain(double value);
// "Sat Nov 21 01:34:17 2026", local time.
std::string date(std::uint64_t realtime_ns);

} // namespace vftr::report
