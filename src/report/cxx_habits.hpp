// SPDX-License-Identifier: BSD-3-Clause
//
// A demangled C++ name as people would have written it: std::string for
// std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, std::vector<double> for
// std::vector<double, std::allocator<double> >, and so for the other containers and pointers of the standard library
// whose last arguments are what one gets by leaving them out. Namespaces that are there for the linker only (__cxx11,
// __1, _V2) and ABI tags go.
#pragma once

#include "report/cxx_text.hpp"

#include <string>
#include <string_view>

namespace vftr::report {

std::string as_people_write(std::string_view name, const Brackets& brackets);

} // namespace vftr::report
