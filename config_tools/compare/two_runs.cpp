// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/two_runs.hpp"

#include "compare/matched_tree.hpp"

#include <utility>

namespace vftr::cli {
namespace {

using compare::Base;
using compare::New;

compare::Measure by_path() {
    compare::Measure measure;
    measure.paths = true;
    return measure;
}

} // namespace

TwoRuns::TwoRuns(const std::vector<std::string>& base, const std::vector<std::string>& next)
    : TwoRuns(base, next, {side_runs(base), side_runs(next)}) {}

TwoRuns::TwoRuns(const std::vector<std::string>& base, const std::vector<std::string>& next,
                 compare::PerSide<SideRuns> sides)
    : runs_{std::move(sides[Base].profiles), std::move(sides[New].profiles)}, tree_(compare::matched_tree(runs_)),
      functions_(compare::compare(runs_, tree_, {}, {})),
      paths_(compare::compare(runs_, tree_, by_path(), {})), shown_{{base, next},
                                                                    {},
                                                                    sides[Base].all_readable &&
                                                                        sides[New].all_readable} {
    for (const std::size_t side : {Base, New}) {
        std::vector<std::vector<std::string>>& files = sides[side].files;
        if (files.size() == 1)
            continue;
        shown_.remarks[side] =
            "This is the first of " + std::to_string(files.size()) + " runs; the difference is that of all of them";
        shown_.paths[side] = std::move(files.front());
    }
}

} // namespace vftr::cli
