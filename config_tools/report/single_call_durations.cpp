// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/single_call_durations.hpp"

#include "config_tools/tell/painted_text.hpp"

#include "analysis/timeline/run_timeline.hpp"
#include "analysis/timeline/single_calls.hpp"
#include "base/foreign_text.hpp"
#include "report/histograms.hpp"

#include <cstdio>
#include <string>

namespace vftr::cli {
namespace {

analysis::Selection selection_of(std::optional<std::int32_t> rank) {
    analysis::Selection selection;
    if (rank)
        selection.ranks = *config::RankSet::parse(std::to_string(*rank), nullptr);
    return selection;
}

} // namespace

// The profile is a copy, as it gets further paths of the timeline, which are behind those that it has.
std::optional<std::vector<analysis::PathDurations>>
durations_of_profile(const RunFiles& files, analysis::Profile profile, std::optional<std::int32_t> rank) {
    const analysis::RunTimeline run(files.images(), profile, selection_of(rank));
    if (!analysis::has_single_calls(run))
        return std::nullopt;
    return analysis::durations_by_path(run);
}

void print_histograms(const RunFiles& files, const symbols::Pattern& functions, std::optional<std::int32_t> rank) {
    analysis::Profile profile = rank ? files.profile_of_rank(*rank) : files.profile();
    const analysis::RunTimeline run(files.images(), profile, selection_of(rank));
    print_text(base::foreign_text(report::make_histograms(run, functions), "\n"));
}

} // namespace vftr::cli
