// SPDX-License-Identifier: BSD-3-Clause
//
// What the rows of a comparison are called, and what is said of them in words.
#pragma once

#include "compare/comparison.hpp"
#include "report/shown_names.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::compare {

class RowNames {
public:
    // The tree must outlive it.
    RowNames(const CombinedTree& tree, bool paths) : tree_(tree), names_(tree.paths()), paths_(paths) {}

    const report::ShownNames& names() const { return names_; }
    const std::string& function_name(std::uint32_t function) const { return names_.of_name(function); }
    // The function of the row; of a call path its innermost one.
    std::uint32_t function(const Row& row) const { return paths_ ? tree_.function(row.id) : row.id; }
    const std::string& function_of(const Row& row) const { return function_name(function(row)); }

    // The functions of a call path, from the root on.
    std::vector<std::string> path(std::uint32_t place) const;

    // Empty: there is nothing of this kind.
    std::string renamed_from(const Row& row) const;
    std::string moved_from(const Row& row) const; // the function that called it in the base
    std::string perhaps_inlined(const Row& row) const;
    // "+50.0 %" where the number of calls has changed for certain, and the base has any.
    std::string calls_change(const Row& row, const Comparison& comparison) const;
    // "renamed: was f, calls +50.0 %"
    std::string remark(const Row& row, const Comparison& comparison) const;

private:
    const CombinedTree& tree_;
    report::ShownNames names_;
    bool paths_;
};

// "init;main;f"
std::string joined_path(const std::vector<std::string>& functions);
// "12", "10..14" where the runs differ, "≈12" where some are estimated.
std::string calls_text(const CallsOfRuns& calls);
// "+5.2 %"
std::string change_text(double ratio);

} // namespace vftr::compare
