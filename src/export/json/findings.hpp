// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/profile/profile.hpp"
#include "export/json_writer.hpp"
#include "report/shown_names.hpp"

namespace vftr::exports {

// The member "findings" of a profile: what matters (report/findings/finding.hpp), those with most time first.
void write_findings(const analysis::Profile& profile, const report::ShownNames& names, JsonWriter& json);

} // namespace vftr::exports
