// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/run_input.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vftr::cli {

RunInput::RunInput(const std::vector<std::string>& paths, Complaints complaints) {
    const bool folders = std::ranges::any_of(paths, is_directory);
    RecordingsFound found;
    std::vector<std::string> all = paths;
    if (folders) {
        found = recordings_of(paths, complaints);
        all_readable_ = found.unreadable == 0;
        all.clear();
        for (const analysis::Recording& recording : found.recordings)
            all.push_back(recording.file);
        if (all.empty())
            throw std::runtime_error(base::foreign_text(paths.front()) + ": has no recordings");
    }
    try {
        files_.emplace(all);
    } catch (const NotOneRun&) {
        if (!folders)
            throw;
        files_.emplace(all, RunFiles::Of::Several);
        several_ = true;
    }
    if (folders)
        tree_.emplace(std::move(found.recordings));
}

} // namespace vftr::cli
