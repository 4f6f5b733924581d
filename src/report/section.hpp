// SPDX-License-Identifier: BSD-3-Clause
//
// A section of the log: a table, or the text before and after the tables. A new section needs a file that defines a
// Section, and a row in sections.def.
#pragma once

#include "analysis/profile/duration_histogram.hpp"
#include "analysis/profile/profile.hpp"
#include "analysis/profile/waiting.hpp"
#include "config/config.hpp"
#include "report/shown_names.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::report {

// Whether the log is that of one rank of a larger job. A profile of one rank in which other ranks are missing is that
// of the job, as far as it is known.
inline bool of_one_rank(const analysis::Profile& profile) {
    return profile.rank_count == 1 && profile.world_size > 1 && profile.missing_ranks.empty();
}

// The data from which the sections of one log are made.
struct Context {
    const analysis::Profile& profile;
    const config::Config& config;
    const std::string& config_source;
    std::vector<bool> shown; // by node: whether a table shows it, so that the list of call stacks has to explain it
    const ShownNames& names;
    const std::string* file = nullptr; // the text so far of the log's file
    // Of single calls, sorted by node; nullptr: they are not known.
    const std::vector<analysis::PathDurations>* durations = nullptr;
    // 100 % of the tables by function, in which waits have no part.
    const std::uint64_t time_of_program = analysis::time_of_program(profile);
    bool hooks_told = false; // whether the findings say that hooks make the program another one

    const std::string& name(std::uint32_t node) const { return names.of(node); }
    std::string stid(std::uint32_t node) const { return std::to_string(profile.stid(node)); }
    // Whether the file already has this note, which is explained once.
    bool says(std::string_view note) const { return file && file->find(note) != file->npos; }
    bool on_every_rank(std::uint32_t node) const { return profile.nodes[node].ranks >= profile.rank_count; }
};

struct Section {
    const char* suffix; // suffix of its separate file with profile_table.separate; empty: the section is always in the
                        // log itself
    const char* title;  // the beginning of its text; empty where there is no suffix
    bool (*wanted)(const Context&);
    void (*write)(Context&, std::string& text); // appends its text, which ends with a newline
};

// Section::write for the text of a small section. The tables with a row for each function or path write theirs in
// place: to copy them, and their copies, cost more pages of memory than all else at the end of a process.
template <std::string (*make)(Context&)>
void append(Context& context, std::string& text) {
    text += make(context);
}

// clang-format off
#define VFTR_SECTION(name) extern const Section section_##name;
#include "report/sections.def"
#undef VFTR_SECTION
// clang-format on

} // namespace vftr::report
