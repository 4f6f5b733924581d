// SPDX-License-Identifier: BSD-3-Clause
//
// The report of a compiler plugin: a line for each function, appended to one file by all compilers that build a
// program, perhaps several at a time. The columns, with tabs between them, are
//   hooks       before, after, none, or inlined: the function was inlined into the one of the last column
//   function    the name in tables
//   place       source file and line
//   statements  of the body that was looked at, and
//   loops       in it
//   executed    statements that a call is expected to execute; 0: not known, before inlining
//   why         the reason
#pragma once

#include "instrument/rules.hpp"

#include <string>

namespace vftr::instrument {

class DecisionReport {
public:
    // The report is written when it ends. Returns what is wrong with it; "": nothing.
    void open(const std::string& file) { file_ = file; }
    bool wanted() const { return !file_.empty(); }
    void add(const Decision& decision, const std::string& function, const std::string& place, const Body& body);
    void add_inlined(const std::string& function, const std::string& place, const std::string& into);
    // Appends all lines in one write. Returns what went wrong; "": nothing.
    std::string write();

private:
    std::string file_, lines_;
};

} // namespace vftr::instrument
