// SPDX-License-Identifier: BSD-3-Clause
//
// Formulas of observables: numbers, names, + - * / % ^ ( ) and a few functions. `^` binds tightest and to the right;
// -a^b is -(a^b). A formula is compiled once into steps for a small stack machine, and then evaluated without
// allocation.
#pragma once

#include <cstddef>
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
    // `names`: what the formula may refer to, besides the functions. On a fault it returns nullopt and sets *fault.
    static std::optional<Formula> compile(std::string_view text, std::span<const std::string> names, Fault* fault);

    // Returns what is wrong with a formula that is not going to be evaluated; nullopt if nothing is. If not
    // `names_are_all`, other names than `names` are accepted, too.
    using Names = std::map<std::string_view, std::size_t>; // name → its index in `values`
    static std::optional<Fault> check(std::string_view text, const Names& names, bool names_are_all);

    // values[i] belongs to names[i]. Division by zero and similar operations give inf or NaN, as IEEE 754 defines.
    double evaluate(std::span<const double> values) const;

    // "abs, ceil, …"
    static std::string function_names();
    static bool is_function(std::string_view name);
    // Whether the string consists of letters, digits and '_', and does not begin with a digit.
    static bool is_name(std::string_view text);

private:
    friend class FormulaParser;
    struct Step {
        double (*apply)(const double* arguments); // null: push
        std::size_t count;                        // the number of arguments; for a push, the index of a name
        double number;                            // for a push, if count is Literal
    };
    static constexpr std::size_t Literal = static_cast<std::size_t>(-1);
    static constexpr std::size_t MaxStack = 256;
    std::vector<Step> steps_;
};

} // namespace vftr::config
