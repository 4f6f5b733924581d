// SPDX-License-Identifier: BSD-3-Clause
//
// The text log. The recorder's finalize step and `vftr report` both call make_log(), so the same data give the same
// bytes.
#pragma once

#include "analysis/profile/duration_histogram.hpp"
#include "analysis/profile/profile.hpp"
#include "config/config.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::report {

struct LogFile {
    std::string suffix; // "" for the log itself, "_minmax", "_namegroup" … with profile_table.separate
    std::string text;
};

// Makes the log of a canonicalised profile: the main file first, then the separate tables. `config_source` is the path
// of the configuration file, empty for the defaults. `before_head` is called when all is made but the head and the
// breakdown, and may add to the times of these (Summary::times, Profile::breakdown): so a process can tell in its log
// what it took to make the tables, which is most of the time of its end. `durations_of_timeline`, sorted by node, are
// those of single calls where the profile has none.
std::vector<LogFile> make_log(const analysis::Profile& profile, const config::Config& config,
                              const std::string& config_source, const std::function<void()>& before_head = {},
                              const std::vector<analysis::PathDurations>* durations_of_timeline = nullptr);

// The suffixes of all such files; that of the log itself comes first.
std::vector<std::string_view> log_suffixes();

// Whether `text`, at least the first 100 bytes of a file, is the beginning of such a file with this suffix, made by
// this or another version.
bool begins_as_log(std::string_view text, std::string_view suffix = "");

// The name of a log without suffix and ".log": "<basename>_all" or "<basename>_<rank>", with the rank padded to the
// digits of the number of ranks.
std::string log_stem(const std::string& basename, std::int32_t rank, std::int32_t size); // rank −1 gives "_all"

} // namespace vftr::report
