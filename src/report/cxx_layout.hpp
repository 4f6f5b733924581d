// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of a demangled C++ name. In "double a::B<int>::f<char>(int)::{lambda(int)#1}::operator()(int) const [clone
// .cold]" the name begins after "double ", and its components are a, B<int>, f<char>(int), {lambda(int)#1} and
// operator()(int) const. Only names of templates have a return type, so any other name with a blank is not a C++ name.
#pragma once

#include "report/cxx_text.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace vftr::report {

// Positions in the name. An `end` is the position after the last character.
struct CxxComponent {
    std::size_t begin = 0, name_end = 0;
    std::size_t angle = 0;  // the '<' of its template arguments; 0: none
    std::size_t params = 0; // the '(' of its parameters; 0: none
    std::size_t end = 0;    // after const, & and the like
    // Whether it is a lambda or another entity without a name of its own, which has a meaning only with its enclosing
    // scope.
    bool nameless = false;
};

struct CxxLayout {
    std::size_t kept = 0; // the end of a phrase before the return type, such as "virtual thunk to "
    std::vector<CxxComponent> components;
    std::size_t tail = 0, tail_end = 0; // " [clone .cold]"
};

// nullopt: the name is not a C++ name, or cannot be parsed.
std::optional<CxxLayout> layout_of(std::string_view text, const Brackets& brackets);

} // namespace vftr::report
