// SPDX-License-Identifier: BSD-3-Clause
//
// What vftr diff and vftr ab share: the options of a comparison, and how it is made and printed.
#pragma once

#include "config_tools/syntax/syntax.hpp"

#include "compare/comparison_text.hpp"
#include "compare/condition.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

enum class DiffFormat { Text, Json, Csv, Folded, Html };

struct DiffOptions {
    compare::Measure measure;
    compare::Judging judging;
    compare::TextOptions text;
    DiffFormat format = DiffFormat::Text;
    std::string output; // empty: standard output
    std::vector<compare::Condition> fail_if;
    std::optional<symbols::Pattern> calls_of; // of --normalise=calls:REGEX
    bool only_format = true;                  // no other option of a comparison was given
};

void add_diff_options(std::vector<Option>& all, DiffOptions& options);
// Once all options are known. Returns 0, or the exit code of a wrong usage, which it has told. Throws
// std::runtime_error for a format that was not built.
int complete_diff_options(const char* verb, DiffOptions& options);

// Prints the comparison, in a format other than that of a page. Returns the exit code: 1 where a condition of --fail-if
// holds, which one line tells that begins with `verb`. Throws std::runtime_error.
int print_diff(const char* verb, const DiffOptions& options, const compare::Runs& runs);

} // namespace vftr::cli
