// SPDX-License-Identifier: BSD-3-Clause
//
// A regular expression (PCRE2) for a set of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vftr::advice {

// Matches the text and nothing else has a meaning in it.
std::string escaped(std::string_view text);

// Matches all of `names` and none of `others`: "^(?:a|b)$". Of many names those that begin alike, with a namespace,
// class or template that none of the others begins with, are one part of it: "std::.*".
std::string expression_for(std::vector<std::string> names, std::vector<std::string> others);

} // namespace vftr::advice
