// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config/config.hpp"

#include <string>

namespace vftr::cli {

// A problem of a configuration without the excerpt of the file: "my.json:3:14: error: …".
inline std::string one_line(const config::Problem& problem) {
    std::string place =
        problem.file + (problem.line ? ':' + std::to_string(problem.line) + ':' + std::to_string(problem.column) : "");
    const char* kind = problem.severity == config::Problem::Severity::Error ? "error: " : "warning: ";
    return place + (place.empty() ? "" : ": ") + kind + problem.message.substr(0, problem.message.find('\n'));
}

} // namespace vftr::cli
