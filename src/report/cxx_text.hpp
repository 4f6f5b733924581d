// SPDX-License-Identifier: BSD-3-Clause
//
// The tokens of a demangled C++ name: words, names of operators, and brackets. A '<' is a bracket only if a matching
// '>' follows: in parentheses, in the names of operators and in "->" these characters may be operators
// ("enable_if<((sizeof (T))<(4)), int>").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vftr::report {

inline constexpr std::array<bool, 256> WordCharacters = [] {
    std::array<bool, 256> word{};
    for (int c = 0; c < 256; ++c)
        word[static_cast<std::size_t>(c)] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                            (c >= '0' && c <= '9') || c == '_' || c == '$' || c >= 0x80;
    return word;
}();

inline bool is_word(char c) { return WordCharacters[static_cast<unsigned char>(c)]; }

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
    std::size_t partner(std::size_t at) const { return of_kind(at, 0); }
    // The end of the word, or of the name of an operator, that begins at `at`; 0: there is none.
    std::size_t word_end(std::size_t at) const { return of_kind(at, Word); }
    // The largest nesting depth of angle brackets.
    std::uint32_t depth() const { return depth_; }

private:
    static constexpr std::uint32_t Word = 1u << 31; // marks the ends of words
    std::size_t of_kind(std::size_t at, std::uint32_t kind) const {
        return (ends_[at] & Word) == kind ? ends_[at] & ~Word : 0;
    }

    std::vector<std::uint32_t> ends_; // of what begins at each position
    std::uint32_t depth_ = 0;
};

} // namespace vftr::report
