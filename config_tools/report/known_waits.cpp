// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/known_waits.hpp"

#include <stdexcept>

namespace vftr::cli {

std::optional<analysis::Waits> known_waits(const RunFiles& files, analysis::Profile& profile) {
    if (files.merged() || files.ranks().size() < 2)
        return std::nullopt;
    try {
        return analysis::waits_of(files.images(), profile);
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

} // namespace vftr::cli
