// SPDX-License-Identifier: BSD-3-Clause
//
// Names of functions that fit into the column of a table. A name that fits stays as it is. Of a longer one in C++ goes
// what tells least, step by step until the rest fits:
//   what people do not write       std::__cxx11::basic_string<char, …> is std::string, std::vector<int,
//   std::allocator<int> > is std::vector<int> the return type                void f<int>(int) is f<int>(int) namespaces
//   in lists            f<a::b>(c::d<e::f>) is f<b>(d<f>) arguments within arguments     f<b<…>>(d<f<…>>), the
//   innermost first, then those in parameters: f<b<…>>(d<…>) parameters                     of the functions that it
//   stands in, then its own, the last ones first: f<b<…>>(d<…>, …), f<b<…>>(…) arguments                      of what
//   it stands in, then its own, then its class's; of each list the last ones first outer namespaces
//   …::Class<…>::f<…>(…)
// The function and its class stay, and where they have no name of their own, as lambdas, what they stand in. If that is
// wider, so is the column, up to a bound. What is wider than that, or is no name of C++ (or one that is not
// understood), loses its middle. No step's result is wider than the one before, so of each step as much is kept as
// fits, found by halving. Different names may become one text. Which of them can be told apart by what else is left of
// them is what the orders are for (shown_names.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vftr::report {

// What is kept for longer than in the order above.
enum class Keep { Class, Parameters, Arguments };

// At most `limit` characters, or `bound` for the sake of a function and its class; all of them harmless
// (base/foreign_text.hpp).
std::string short_name(std::string_view name, std::size_t limit, std::size_t bound, Keep keep = Keep::Class);

} // namespace vftr::report
