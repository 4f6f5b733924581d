// SPDX-License-Identifier: BSD-3-Clause
//
// The tokens of a demangled C++ name: words, names of operators, and brackets. A '<' is a bracket only if a matching
// '>' follows: in parentheses, in the names of operators and in "->" these characters may be operators
// ("enable_if<((sizeof (T))<(4)), int>").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vftr::report {

inline bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           (static_cast<unsigned char>(c) & 0x80);
}

// The end of the word that begins at `at`.
std::size_t end_of_word(std::string_view text, std::size_t at);

// The end of the operator's name that begins at `at`, such as "operator<<", "operator()", "operator new[]" or
// "operator\"\" _km". 0: none begins there, or it is a conversion operator.
std::size_t end_of_operator(std::string_view text, std::size_t at);

class Brackets {
public:
    // nullopt: some brackets are not closed, or they are nested more deeply than a compiler writes them.
    static std::optional<Brackets> of(std::string_view text);

    // The position of the bracket that closes the one at `at`; 0: there is no opening bracket at `at`.
    std::size_t partner(std::size_t at) const { return partner_[at]; }
    // The largest nesting depth of angle brackets.
    std::uint32_t depth() const { return depth_; }

private:
    std::vector<std::uint32_t> partner_;
    std::uint32_t depth_ = 0;
};

} // namespace vftr::report
