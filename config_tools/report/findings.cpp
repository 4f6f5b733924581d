// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/findings.hpp"

#include "analysis/timeline/waits_of.hpp"
#include "base/foreign_text.hpp"
#include "report/findings/finding.hpp"
#include "report/findings_text.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>

namespace vftr::cli {
namespace {

// Nothing where some rank has no timeline: then nobody knows for whom ranks waited.
std::optional<analysis::Waits> waits_in(const RunFiles& files, analysis::Profile& profile) {
    if (files.merged() || files.ranks().size() < 2)
        return std::nullopt;
    try {
        return analysis::waits_of(files.images(), profile);
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

} // namespace

void print_findings(const RunFiles& files, std::optional<std::int32_t> rank) {
    analysis::Profile profile = rank ? files.profile_of_rank(*rank) : files.profile();
    const std::optional<analysis::Waits> waits = rank ? std::nullopt : waits_in(files, profile);
    const report::ShownNames names(profile);
    const auto found = report::findings(report::Evidence(profile, names, waits ? &*waits : nullptr));
    const std::string text = report::findings_text(found);
    std::fputs(text.empty() ? "nothing stands out\n" : base::foreign_text(text, "\n").c_str(), stdout);
}

} // namespace vftr::cli
