// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a demangled C++ name as a programmer would: std::string for std::__cxx11::basic_string<char,
// std::char_traits<char>, std::allocator<char> >, std::vector<double> for std::vector<double, std::allocator<double> >.
// Default arguments of the other containers and pointers of the standard library are left out in the same way.
// Namespaces that only serve the linker (__cxx11, __1, _V2) and ABI tags are left out, too.
#pragma once

#include "report/cxx_text.hpp"

#include <string>
#include <string_view>

namespace vftr::report {

std::string usual_spelling(std::string_view name, const Brackets& brackets);

} // namespace vftr::report
