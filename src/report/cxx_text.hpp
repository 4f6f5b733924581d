// SPDX-License-Identifier: BSD-3-Clause
//
// What a demangled C++ name is made of: words, names of operators, and brackets. A '<' is a bracket only where a '>' of
// its own follows: in parentheses it may be an operator ("enable_if<((sizeof (T))<(4)), int>"), as in the names of
// operators and in "->".
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

// The end of "operator<<", "operator()", "operator new[]", "operator\"\" _km" that begins at `at`: 0 where none does,
// or one of a conversion.
std::size_t end_of_operator(std::string_view text, std::size_t at);

class Brackets {
public:
    // nullopt: some are not closed, or there are more within each other than a compiler writes.
    static std::optional<Brackets> of(std::string_view text);

    // The place of the bracket that closes the one at `at`; 0: what stands there is no bracket that opens.
    std::size_t partner(std::size_t at) const { return partner_[at]; }
    // How many pairs of angle brackets stand within each other, at most.
    std::uint32_t depth() const { return depth_; }

private:
    std::vector<std::uint32_t> partner_;
    std::uint32_t depth_ = 0;
};

} // namespace vftr::report
