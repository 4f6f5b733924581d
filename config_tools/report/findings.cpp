// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/findings.hpp"

#include "config_tools/report/known_waits.hpp"
#include "config_tools/tell/painted_text.hpp"

#include "base/foreign_text.hpp"
#include "report/findings/finding.hpp"
#include "report/findings_text.hpp"

#include <cstdio>
#include <string>

namespace vftr::cli {

void print_findings(const RunFiles& files, std::optional<std::int32_t> rank) {
    analysis::Profile profile = rank ? files.profile_of_rank(*rank) : files.profile();
    const std::optional<analysis::Waits> waits = rank ? std::nullopt : known_waits(files, profile);
    const report::ShownNames names(profile);
    const auto found = report::findings(report::Evidence(profile, names, waits ? &*waits : nullptr));
    const std::string text = report::findings_text(found);
    print_text(text.empty() ? "nothing stands out\n" : base::foreign_text(text, "\n"));
}

} // namespace vftr::cli
