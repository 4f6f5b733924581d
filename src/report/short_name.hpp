// SPDX-License-Identifier: BSD-3-Clause
//
// Shortens names of functions so that they fit into a column of a table. A name that fits stays as it is. A longer C++
// name loses the parts that tell least, step by step until the rest fits:
//   redundant spelling          std::__cxx11::basic_string<char, …> becomes std::string,
//                               std::vector<int, std::allocator<int> > becomes std::vector<int>
//   the return type             void f<int>(int) becomes f<int>(int)
//   namespaces in lists         f<a::b>(c::d<e::f>) becomes f<b>(d<f>)
//   nested arguments            f<b<…>>(d<f<…>>), the innermost first, then those in parameters: f<b<…>>(d<…>)
//   parameters                  those of the enclosing functions, then the function's own, the last ones first:
//                               f<b<…>>(d<…>, …), f<b<…>>(…)
//   template arguments          those of the enclosing scopes, then the function's own, then those of its class; of
//                               each list the last ones first
//   outer namespaces            …::Class<…>::f<…>(…)
// The function and its class always stay, and where these have no name of their own (lambdas), their enclosing scope.
// If that is wider than the column, the column gets wider, up to a bound. The middle is cut out of a name that is wider
// than that bound, and of a name that is not C++ or cannot be parsed. No step makes the name wider than the step
// before, so the largest part that fits is found for each step by bisection. Different names may get the same short
// name; the different orders of the steps (Keep) exist to tell them apart (distinct_names.hpp).
#pragma once

#include "report/cxx_layout.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vftr::report {

// What is shortened last. Class is the order above.
enum class Keep { Class, Parameters, Arguments };

// A name whose parts are found once, to be shortened in several orders. The text must outlive it.
class LongName {
public:
    explicit LongName(std::string_view name);
    // As short_name().
    std::string shortened(std::size_t limit, std::size_t bound, Keep keep) const;

private:
    std::string_view name_;
    std::size_t width_;
    std::string usual_; // the usual spelling
    std::optional<Brackets> brackets_;
    std::optional<CxxLayout> layout_; // nullopt: it is not a C++ name, or cannot be parsed
};

// Returns at most `limit` characters, or up to `bound` where the function and its class need them, without control
// characters (base/foreign_text.hpp).
std::string short_name(std::string_view name, std::size_t limit, std::size_t bound, Keep keep = Keep::Class);

} // namespace vftr::report
