// SPDX-License-Identifier: BSD-3-Clause
//
// Collects what is wrong with one file. Knows the text, and turns byte offsets into lines, columns
// and excerpts.
#pragma once

#include "config/config.hpp"

namespace vftr::config {

class Problems {
public:
    // Both must outlive this object.
    Problems(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    // `option` is the path that the problem is about, or empty.
    void error(std::size_t offset, std::string option, std::string message);
    void warning(std::size_t offset, std::string option, std::string message);
    void error_without_place(std::string message);

    std::size_t errors() const { return errors_; }
    std::size_t line_of(std::size_t offset) const;
    // In the order of the file.
    std::vector<Problem> take();

private:
    void add(Problem::Severity severity, std::size_t offset, std::string option,
             std::string message);

    std::string_view text_;
    const std::string& file_;
    std::vector<Problem> problems_;
    std::size_t errors_ = 0, left_out_ = 0;
    mutable std::vector<std::size_t> line_ends_; // empty until somebody asks
};

} // namespace vftr::config
