// SPDX-License-Identifier: BSD-3-Clause
//
// A PCRE2 regular expression, compiled once (filters, precise_functions).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace vftr::symbols {

class Pattern {
public:
    // On a bad expression: not valid(); error() and error_offset() (bytes into the expression) say
    // why.
    explicit Pattern(std::string_view expression);
    ~Pattern();
    Pattern(Pattern&&) noexcept;
    Pattern& operator=(Pattern&&) noexcept;

    bool valid() const;
    const std::string& error() const;
    std::size_t error_offset() const;
    // True if the expression matches anywhere in `text`. One thread at a time per Pattern.
    bool matches(std::string_view text) const;
    // Whether it has taken too long for a text so far, which then counted as one without a match.
    bool has_given_up() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vftr::symbols
