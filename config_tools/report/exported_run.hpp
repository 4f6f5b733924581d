// SPDX-License-Identifier: BSD-3-Clause
//
// A run whose profile or timeline is exported, and what of it the wanted formats need.
#pragma once

#include "config_tools/report/export_options.hpp"
#include "config_tools/report/run_input.hpp"
#include "config_tools/tell/progress_line.hpp"

#include "analysis/profile/profile.hpp"
#include "analysis/timeline/run_timeline.hpp"
#include "analysis/timeline/wait_states.hpp"
#include "analysis/timeline/waits_of.hpp"
#include "export/format.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

class ExportedRun {
public:
    // Both outlive the object. Of several runs there is a part for each program. Throws std::runtime_error where the
    // files have not what is wanted.
    ExportedRun(const RunInput& input, const ExportOptions& wanted);

    const exports::Subject& subject() const { return subject_; }
    // A whole sentence without a full stop, for the reader of what is written.
    void add_remark(std::string remark) { subject_.remarks.push_back(std::move(remark)); }
    // See exports::Subject.
    void add_pieces(std::vector<std::string> pieces) { subject_.further_pieces = std::move(pieces); }
    // Throws std::runtime_error.
    void write(const exports::Format& format, const exports::Options& options, const std::string& path);

    // Calls use(subject, timeline) with what write() gives a format; timeline is nullptr where it takes none.
    using Use = std::function<void(exports::Subject& subject, analysis::RunTimeline* timeline)>;
    void with_subject(const exports::Format& format, const Use& use);

private:
    bool takes_timeline(const exports::Format& format) const;
    bool takes_waits(const exports::Format& format) const;
    bool takes_all_ranks() const;
    bool takes_all_threads() const;
    bool takes(const analysis::Wait& wait) const;
    void check_formats() const;
    std::vector<std::string> choices() const;
    void add_parts(bool keep_all);
    void add_programs(const analysis::ProcessTree& tree);
    void add_places();
    void add_rank_functions();
    void add_sources();
    void add_timeline();
    void add_waits(bool of_one_run);
    void tell_waits(analysis::Waits waits);
    void place_waits();

    const RunFiles& files_;
    const ExportOptions& wanted_;
    analysis::Profile all_; // empty where only subject_ needs it
    exports::Subject subject_;
    ProgressLine progress_;
    std::unique_ptr<analysis::RunTimeline> timeline_; // nullptr: there is none, or nothing needs it
    std::vector<std::string> losses_;                 // those of the remarks that say what was lost
    std::vector<std::string> timeline_remarks_;
    std::size_t known_remarks_ = 0; // how many of the remarks the user knows by himself
};

// Prints the run in this format (vftr report --format). With `rank` only that rank; throws std::runtime_error if there
// is no file of it.
void print_export(const RunInput& input, const exports::Format& format, std::optional<std::int32_t> rank);

} // namespace vftr::cli
