// SPDX-License-Identifier: BSD-3-Clause
//
// What --fail-if asks of the rows of a comparison: "slower", "slower>5%", "difference>20ms", "^solve:slower>5%". A
// verdict with a percentage is one whose ratio is further from 1 than that.
#pragma once

#include "compare/comparison.hpp"
#include "compare/row_names.hpp"
#include "symbols/pattern.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace vftr::compare {

struct Column;

class Condition {
public:
    // Throws std::invalid_argument, which says what is wrong and what is allowed.
    explicit Condition(std::string_view text);

    const std::string& text() const { return text_; }
    bool holds(const Row& row, const Comparison& comparison, const RowNames& names) const;
    // What is told of such a row, by what the condition asks of: " (+7.2 %)" of its time, " (calls +7.2 %)" of how
    // often it is called, " (1.0 ms, then 4.0 ms)" of single calls. "": that is not known.
    std::string reason(const Row& row, const Comparison& comparison) const;

private:
    std::string text_;
    std::optional<symbols::Pattern> function_;
    std::optional<Verdict> verdict_;
    const Column* column_ = nullptr; // nullptr: the verdict alone
    bool above_ = true;              // else below
    double limit_ = 0;
};

// One line that names the rows for which the condition holds, "" for none: "slower>5%: solve (+7.2 %), norm (+6.0 %)".
std::string rows_that_fail(const Condition& condition, const Comparison& comparison, const RowNames& names);

} // namespace vftr::compare
