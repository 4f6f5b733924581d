// SPDX-License-Identifier: BSD-3-Clause
//
// What vftr diff and vftr ab share: how a comparison is made and printed.
#pragma once

#include "config.h"

#ifdef HAVE_BOOST_MATH
#include "compare/comparison_text.hpp"
#include "compare/condition.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

enum class DiffFormat { Text, Json, Csv, Folded };

struct DiffOptions {
    compare::Measure measure;
    compare::Judging judging;
    compare::TextOptions text;
    DiffFormat format = DiffFormat::Text;
    std::string output; // empty: standard output
    std::vector<compare::Condition> fail_if;
    std::optional<symbols::Pattern> calls_of; // of --normalise=calls:REGEX
};

// Prints the comparison. Returns the exit code: 1 where a condition of --fail-if holds, which one line tells that
// begins with `verb`. Throws std::runtime_error.
int print_diff(const char* verb, const DiffOptions& options, const compare::Runs& runs);

} // namespace vftr::cli
#endif

namespace vftr::cli {

inline constexpr const char* DiffNotBuilt = "vftrace was built without the comparison of runs: it needs Boost.Math";

} // namespace vftr::cli
