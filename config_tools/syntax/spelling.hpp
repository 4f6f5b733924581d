// SPDX-License-Identifier: BSD-3-Clause
//
// Reads how an option, an action or an operand is spelled where users read it. The spelling says all that a parser and
// a shell have to know, so nothing of it is said a second time:
//
//   --wide                   no value                   -o, --output=FILE      a letter besides; the name of a file
//   --rank N                 some value                 --format=NAME[,NAME…]  a list with commas
//   --by=sum|mean|max        one of these words         -n N                   a letter only
//   --normalise=time|calls:REGEX                        the word, or a regular expression behind "calls:"
//
// Words in capitals stand for something: FILE, DIR, REGEX (shown_values.hpp has those that mean something to a shell).
// Whether a value is spelled behind "=" or a blank is for the eye; getopt_long takes both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vftr::cli {

struct Spelling {
    char letter = '\0'; // '\0': none
    std::string name;   // without dashes; empty: there is a letter only
    std::string value;  // "FILE"; empty: it takes none

    std::string shown() const { return name.empty() ? std::string("-") + letter : "--" + name; }
};
Spelling spelling_of(std::string_view text);

// One of the values between "|": `literal` as it is, and behind it whatever `kind` stands for, which may be empty.
struct Alternative {
    std::string literal, kind;
};
struct ValueSpelling {
    std::vector<Alternative> alternatives;
    bool is_list = false; // several, with commas between them
};
// Brackets around what may be left out, and "…", count for nothing: "[REGEX:]CONDITION" is of the kind REGEX.
ValueSpelling value_spelling_of(std::string_view value);

// The words that an option takes as they are: {"sum", "mean", "max"}.
std::vector<std::string> words_of(const Spelling& option);
// "sum, mean or max".
std::string enumerated(const std::vector<std::string>& words);

} // namespace vftr::cli
