// SPDX-License-Identifier: BSD-3-Clause
//
// What vftr diff and vftr ab share: the options of a comparison, and how it is made and printed.
#pragma once

#include "compare/comparison_text.hpp"
#include "compare/condition.hpp"

#include <getopt.h>
#include <initializer_list>
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

// The lines of --help for these options.
extern const char* const DiffOptionsHelp;

// The options for getopt_long: those of a comparison, and a verb's own, whose numbers are below 512 or from 1024 on.
std::vector<option> with_diff_options(std::initializer_list<option> own);

// Takes an option of a comparison, with optarg. Returns 0, or the exit code of a wrong usage, which it has told.
int take_diff_option(const char* verb, int which, DiffOptions& options);
// The same once all options are known. Throws std::runtime_error for a format that was not built.
int complete_diff_options(const char* verb, DiffOptions& options);

// Prints the comparison, in a format other than that of a page. Returns the exit code: 1 where a condition of --fail-if
// holds, which one line tells that begins with `verb`. Throws std::runtime_error.
int print_diff(const char* verb, const DiffOptions& options, const compare::Runs& runs);

} // namespace vftr::cli
