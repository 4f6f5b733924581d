// SPDX-License-Identifier: BSD-3-Clause
//
// A PCRE2 regular expression that is compiled once (filters, precise_functions).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace vftr::symbols {

class Pattern {
public:
    // If the expression is invalid, valid() is false, and error() and error_offset() (in bytes of the expression)
    // describe the error.
    explicit Pattern(std::string_view expression);
    ~Pattern();
    Pattern(Pattern&&) noexcept;
    Pattern& operator=(Pattern&&) noexcept;

    bool valid() const;
    const std::string& error() const;
    std::size_t error_offset() const;
    // Returns true if the expression matches anywhere in `text`. Only one thread at a time may use a Pattern.
    bool matches(std::string_view text) const;
    // Whether matching took too long for some string so far, which then counted as not matched.
    bool has_given_up() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vftr::symbols
