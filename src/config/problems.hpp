// SPDX-License-Identifier: BSD-3-Clause
//
// Collects the problems of one file. It knows the text, and turns byte offsets into lines, columns and excerpts.
#pragma once

#include "config/config.hpp"
#include "config/repaired_text.hpp"

namespace vftr::config {

class Problems {
public:
    // Both must outlive this object.
    Problems(std::string_view text, const std::string& file) : text_(text), file_(file) {}
    // All offsets refer to `copy`, a repaired copy of `text`, which must outlive this object, too.
    Problems(std::string_view text, const RepairedText& copy, const std::string& file)
        : text_(text), copy_(&copy), file_(file) {}

    // `option` is the path of the option with the problem, or empty.
    void error(std::size_t offset, std::string option, std::string message);
    void warning(std::size_t offset, std::string option, std::string message);
    void error_without_place(std::string message);

    // Whether further problems are only counted, so that the caller need not make their messages.
    bool is_full() const { return problems_.size() >= MaxProblems; }
    // Includes errors that are not shown because their cause has been reported already.
    std::size_t errors() const { return errors_; }
    // Whether the repaired copy may have keys in wrong sections, or lack keys, so that reporting these is pointless:
    // see RepairedText.
    bool is_misplaced() const { return copy_ && copy_->is_misplaced(); }
    bool is_incomplete() const { return copy_ && copy_->is_incomplete(); }
    std::size_t line_of(std::size_t offset) const;
    // Returns the problems in the order of the file.
    std::vector<Problem> take();

private:
    std::size_t original_line_of(std::size_t offset) const;
    void add(Problem::Severity severity, std::size_t offset, std::string option, std::string message);

    void leave_out(Problem::Severity severity, std::size_t count, const std::string& what);
    void set_place(Problem& problem, std::size_t offset);

    // The greatest number of problems that are kept for one file.
    static constexpr std::size_t MaxProblems = 1000;
    std::string_view text_;
    const RepairedText* copy_ = nullptr;
    const std::string& file_;
    std::vector<Problem> problems_;
    std::size_t errors_ = 0, errors_left_out_ = 0, warnings_left_out_ = 0;
    mutable std::vector<std::size_t> line_ends_; // empty until the first request for a line
    // The column of an offset, from which the columns of further offsets in the same line are counted on. The whole
    // file may be one line.
    std::size_t counted_to_ = 0, counted_column_ = 1;
};

} // namespace vftr::config
