// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of the document of vftr export --format=json (json.cpp) that correspond to tables which not every run has. Each
// writes its member of a profile, or nothing where there is no such data.
#pragma once

#include "analysis/profile/profile.hpp"
#include "export/json_writer.hpp"
#include "report/shown_names.hpp"

namespace vftr::exports {

void write_breakdown(const analysis::Profile& profile, JsonWriter& json);
void write_messages(const analysis::Profile& profile, const report::ShownNames& names, JsonWriter& json);
void write_threads(const analysis::Profile& profile, const report::ShownNames& names, JsonWriter& json);
void write_openmp_regions(const analysis::Profile& profile, const report::ShownNames& names, JsonWriter& json);

} // namespace vftr::exports
