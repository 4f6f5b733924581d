// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of a demangled C++ name. In "double a::B<int>::f<char>(int)::{lambda(int)#1}::operator()(int) const [clone
// .cold]" the name begins behind "double ", and its components are a, B<int>, f<char>(int), {lambda(int)#1} and
// operator()(int) const. Return types stand before names of templates only, so a blank in any other name means that it
// is none of C++'s.
#pragma once

#include "report/cxx_text.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace vftr::report {

// Places in the text, from the first character of a thing to behind the last.
struct CxxComponent {
    std::size_t begin = 0, name_end = 0;
    std::size_t angle = 0;  // the '<' of its arguments; 0: it has none
    std::size_t params = 0; // the '(' of its parameters; 0: it has none
    std::size_t end = 0;    // with const, & and the like
    // A lambda, or another thing without a name of its own, says nothing without what it stands in.
    bool nameless = false;
};

struct CxxLayout {
    std::size_t kept = 0; // the end of what stands before the return type: "virtual thunk to "
    std::vector<CxxComponent> components;
    std::size_t tail = 0, tail_end = 0; // " [clone .cold]"
};

// nullopt: it is not understood, or no name of C++.
std::optional<CxxLayout> layout_of(std::string_view text, const Brackets& brackets);

} // namespace vftr::report
