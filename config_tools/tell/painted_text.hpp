// SPDX-License-Identifier: BSD-3-Clause
//
// Colours for a text that is finished: headings of tables are bold, verdicts of a comparison and the words "ok:",
// "problem:", "Error:" and "Warning:" at the beginning of a line have their colour.
//
// They are put in last, in place of where the tables are made: names of functions in a text are foreign, so the text as
// a whole is made harmless (base/foreign_text.hpp) before it is printed, which takes escape sequences out; and the
// widths of columns do not have to know of them. A table can be read again without doubt (report/text_table.hpp), so
// that no name of a function is taken for a verdict.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace vftr::cli {

std::string painted(std::string_view text);

// With colours where the stream has them.
void print_text(std::string_view text, std::FILE* stream = stdout);

} // namespace vftr::cli
