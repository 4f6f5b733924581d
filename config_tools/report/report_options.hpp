// SPDX-License-Identifier: BSD-3-Clause
//
// What both forms of `vftr report` share: the options, the configuration with which a log is made, and where the log
// goes.
#pragma once

#include "analysis/profile/duration_histogram.hpp"
#include "analysis/profile/profile.hpp"
#include "config/config.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

struct ReportOptions {
    const char* config = nullptr;
    const char* directory = nullptr; // null: standard output
    std::optional<std::int32_t> rank, pid;
    const char* program = nullptr;
    bool only_tree = false, each = false, all = false, wide = false, findings = false;
};

// The configuration of the command line, else that of the run (`text`, from the file `label`, which the program read
// from `source`), else the defaults. Throws std::runtime_error if the configuration of the command line has errors.
config::Loaded report_config(const ReportOptions& options, const std::string& text, const std::string& label,
                             const std::string& source);

// Has functions named as the configuration of the command line says, if there is one that can be read.
void take_name_options(const ReportOptions& options);

// Says in one line that a file's functions are named otherwise than --config wants, for the first such file.
void tell_of_kept_names(const vfd::Image& image);

// Makes the log of a canonical profile: prints it, or writes it as <stem>.log and so on in the directory. `durations`
// are the durations_of_timeline of make_log(). Throws std::runtime_error.
void write_logs(const ReportOptions& options, const analysis::Profile& profile, const config::Loaded& config,
                const std::string& stem, const std::vector<analysis::PathDurations>* durations = nullptr);

// Reports a folder, or files of several processes. Returns the exit code.
int report_tree(const ReportOptions& options, const std::vector<std::string>& paths);

} // namespace vftr::cli
