// SPDX-License-Identifier: BSD-3-Clause
//
// Collects what is wrong with one file. Knows the text, and turns byte offsets into lines, columns
// and excerpts.
#pragma once

#include "config/config.hpp"
#include "config/repaired_text.hpp"

namespace vftr::config {

class Problems {
public:
    // Both must outlive this object.
    Problems(std::string_view text, const std::string& file) : text_(text), file_(file) {}
    // All offsets are those of `copy`, a repaired copy of `text`, which must outlive this object, too.
    Problems(std::string_view text, const RepairedText& copy, const std::string& file)
        : text_(text), copy_(&copy), file_(file) {}

    // `option` is the path that the problem is about, or empty.
    void error(std::size_t offset, std::string option, std::string message);
    void warning(std::size_t offset, std::string option, std::string message);
    void error_without_place(std::string message);

    // What is added from now on is counted only: its text is of no use.
    bool is_full() const { return problems_.size() >= MaxProblems; }
    // Of those, too, that are about what was told already, and are therefore not shown.
    std::size_t errors() const { return errors_; }
    // That a key stands where it does not belong, or is missing, tells nothing new: see RepairedText.
    bool is_misplaced() const { return copy_ && copy_->is_misplaced(); }
    bool is_incomplete() const { return copy_ && copy_->is_incomplete(); }
    std::size_t line_of(std::size_t offset) const;
    // In the order of the file.
    std::vector<Problem> take();

private:
    std::size_t original_line_of(std::size_t offset) const;
    void add(Problem::Severity severity, std::size_t offset, std::string option, std::string message);

    void leave_out(Problem::Severity severity, std::size_t count, const std::string& what);
    void set_place(Problem& problem, std::size_t offset);

    // A file of nothing but mistakes is reported up to here.
    static constexpr std::size_t MaxProblems = 1000;
    std::string_view text_;
    const RepairedText* copy_ = nullptr;
    const std::string& file_;
    std::vector<Problem> problems_;
    std::size_t errors_ = 0, errors_left_out_ = 0, warnings_left_out_ = 0;
    mutable std::vector<std::size_t> line_ends_; // empty until somebody asks
    std::size_t counted_to_ = 0,
                counted_column_ =
                    1; // columns of one line are counted on from here, since the whole file may be one line
};

} // namespace vftr::config
