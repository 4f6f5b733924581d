// SPDX-License-Identifier: BSD-3-Clause
//
// Formulas of observables: numbers, names, + - * / % ^ ( ) and a few functions. `^` binds tightest
// and to the right; -a^b is -(a^b). A formula is compiled once into steps for a small stack and
// then evaluated without allocation.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::config {

class Formula {
public:
    struct Fault {
        std::size_t offset; // byte of the text
        std::string message;
    };
    // `names`: what the formula may refer to, besides the functions. On a fault nullopt, and *fault
    // is set.
    static std::optional<Formula> compile(std::string_view text, std::span<const std::string> names, Fault* fault);

    // What is wrong, for who does not want to evaluate; nullopt: nothing. Without `names_are_all` there are others,
    // too.
    using Names = std::map<std::string_view, std::size_t>; // name → its place in `values`
    static std::optional<Fault> check(std::string_view text, const Names& names, bool names_are_all);

    // values[i] belongs to names[i]. Division by zero and the like give inf or NaN, as IEEE 754
    // says.
    double evaluate(std::span<const double> values) const;

    // "abs, ceil, …"
    static std::string function_names();
    static bool is_function(std::string_view name);
    // Letters, digits and '_', no digit first.
    static bool is_name(std::string_view text);

private:
    friend class FormulaParser;
    struct Step {
        double (*apply)(const double* arguments); // null: push
        std::size_t count;                        // of arguments; or, to push, the index of a name
        double number;                            // to push, if count is Literal
    };
    static constexpr std::size_t Literal = static_cast<std::size_t>(-1);
    static constexpr std::size_t MaxStack = 256;
    std::vector<Step> steps_;
};

} // namespace vftr::config
