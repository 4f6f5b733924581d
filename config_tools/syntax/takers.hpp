// SPDX-License-Identifier: BSD-3-Clause
//
// What most options do: they put their value into a variable.
#pragma once

#include "config_tools/option_number.hpp"
#include "config_tools/syntax/syntax.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace vftr::cli {

inline Take flag(bool& variable, bool value = true) {
    return [&variable, value](const Given&) {
        variable = value;
        return 0;
    };
}

// `Text` is a std::string or a const char*.
template <class Text>
Take text(Text& variable) {
    return [&variable](const Given& given) {
        variable = given.value;
        return 0;
    };
}

// A number from 0 or 1 on.
template <class Number>
Take number(Number& variable, std::type_identity_t<Number> least = 0) {
    return [&variable, least](const Given& given) {
        Number value{};
        if (!parse_number(given.value, value) || value < least)
            return given.refuse("needs a number from " + std::to_string(least) + " on");
        variable = value;
        return 0;
    };
}

// One of the words that the option is spelled with; `values` are what they stand for, in the same order.
template <class Value>
Take one_of(Value& variable, std::vector<std::type_identity_t<Value>> values) {
    return [&variable, values = std::move(values)](const Given& given) {
        const std::vector<std::string> words = words_of(given.option);
        const auto found = std::find(words.begin(), words.end(), given.value);
        if (found == words.end())
            return given.refuse("is " + enumerated(words));
        variable = values[static_cast<std::size_t>(found - words.begin())];
        return 0;
    };
}

} // namespace vftr::cli
