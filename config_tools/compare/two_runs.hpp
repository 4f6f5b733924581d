// SPDX-License-Identifier: BSD-3-Clause
//
// What vftr html and vftr tui show of two runs: the difference between all runs of both sides by function and by call
// path, as vftr diff finds it without options, and of each side one run.
#pragma once

#include "config_tools/compare/side_runs.hpp"

#include "compare/combined_tree.hpp"
#include "compare/comparison.hpp"
#include "compare/sides.hpp"

#include <string>
#include <vector>

namespace vftr::cli {

struct ShownSides {
    // All that was named, or the files of the first run where there are several.
    compare::PerSide<std::vector<std::string>> paths;
    // Says of such a side that the difference is that of all runs; empty where there is one. Without a full stop.
    compare::PerSide<std::string> remarks;
    bool all_readable = true; // as in SideRuns
};

class TwoRuns {
public:
    // The files and folders of both sides. Throws as side_runs().
    TwoRuns(const std::vector<std::string>& base, const std::vector<std::string>& next);

    const compare::Runs& runs() const { return runs_; }
    const compare::CombinedTree& tree() const { return tree_; }
    const compare::Comparison& functions() const { return functions_; }
    const compare::Comparison& paths() const { return paths_; }
    const ShownSides& shown() const { return shown_; }

private:
    TwoRuns(const std::vector<std::string>& base, const std::vector<std::string>& next,
            compare::PerSide<SideRuns> sides);

    const compare::Runs runs_;
    const compare::CombinedTree tree_;
    const compare::Comparison functions_, paths_;
    ShownSides shown_;
};

} // namespace vftr::cli
