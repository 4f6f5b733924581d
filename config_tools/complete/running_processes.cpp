// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/complete/running_processes.hpp"

#include "config_tools/report/recordings_of.hpp"

#include <exception>
#include <string>

namespace vftr::cli {

std::vector<Choice> running_processes() {
    std::vector<Choice> processes;
    try {
        for (const analysis::Recording& r : recordings_of({"."}, Complaints::None).recordings)
            if (r.ending == analysis::Ending::Runs)
                processes.push_back({std::to_string(r.pid), r.program()});
    } catch (const std::exception&) {
        // Completion has no place to tell of it.
    }
    return processes;
}

} // namespace vftr::cli
