// SPDX-License-Identifier: BSD-3-Clause
//
// Makes a regular expression (PCRE2) that matches a set of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vftr::advice {

// Escapes all special characters, so that the expression matches exactly this string.
std::string escaped(std::string_view text);

// Returns an expression that matches all of `names` and none of `others`: "^(?:a|b)$". If there are many names, those
// of the same namespace, class or template are matched by one alternative such as "std::.*", if none of the others
// begins with the same prefix.
std::string expression_for(std::vector<std::string> names, std::vector<std::string> others);

} // namespace vftr::advice
