// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/run_source.hpp"

#include "config_tools/report/known_waits.hpp"

#include <algorithm>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace vftr::cli {
namespace {

// When something in the folders came, went or got another name, by folder.
std::vector<std::pair<time_t, long>> changes_of_folders(const std::vector<std::string>& paths) {
    std::vector<std::pair<time_t, long>> changes;
    struct stat status {};
    for (const std::string& path : paths)
        if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
            changes.emplace_back(status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    return changes;
}

ExportOptions only_profiles() {
    ExportOptions wanted;
    wanted.output = "-";
    wanted.no_timeline = true;
    return wanted;
}

std::vector<std::int32_t> single_ranks(const RunInput& input) {
    const RunFiles& files = input.files();
    return input.tree() || files.merged() || files.ranks().size() < 2 ? std::vector<std::int32_t>() : files.ranks();
}

std::optional<exports::Part> part_with_waits(const RunInput& input) {
    if (single_ranks(input).empty())
        return std::nullopt;
    exports::Part part;
    part.profile = input.files().profile();
    part.waits = known_waits(input.files(), part.profile);
    return part.waits ? std::optional(std::move(part)) : std::nullopt;
}

} // namespace

struct RunSource::State {
    State(const std::vector<std::string>& paths, const std::string& remark, Complaints complaints)
        : changes(changes_of_folders(paths)), input(paths, complaints), run(input, wanted), ranks(single_ranks(input)),
          waits(part_with_waits(input)) {
        if (run.subject().parts.empty())
            throw std::runtime_error(paths.front() + ": has no profile");
        if (!remark.empty())
            run.add_remark(remark);
        if (!input.processes())
            of_files.emplace(recordings_of(paths, Complaints::None).recordings);
        written = std::ranges::any_of(processes().recordings(), &analysis::Recording::may_be_written);
    }

    const analysis::ProcessTree& processes() const { return of_files ? *of_files : *input.processes(); }

    const std::vector<std::pair<time_t, long>> changes; // known before the files were read
    const ExportOptions wanted = only_profiles();
    const RunInput input;
    ExportedRun run;
    const std::vector<std::int32_t> ranks;
    const std::optional<exports::Part> waits;
    std::optional<analysis::ProcessTree> of_files; // where these are no folders, whose recordings the input knows
    bool written = false;
};

RunSource::RunSource(std::vector<std::string> paths, std::string remark, Complaints complaints)
    : paths_(std::move(paths)), remark_(std::move(remark)), complaints_(complaints) {
    read();
}
RunSource::~RunSource() = default;

void RunSource::read_now() { state_ = std::make_unique<const State>(paths_, remark_, complaints_); }

// Whether a file has another name now, as its process has ended. Of files that were not read yet names are all that is
// known.
bool RunSource::follow_names() {
    bool any = false;
    for (std::string& path : paths_) {
        const analysis::Recording* known = nullptr;
        if (state_)
            for (const analysis::Recording& recording : state_->processes().recordings())
                if (recording.file == path)
                    known = &recording;
        if (std::optional<std::string> closed = known ? closed_file_of(*known) : closed_file_of(path)) {
            path = std::move(*closed);
            any = true;
        }
    }
    return any;
}

void RunSource::read() {
    try {
        read_now();
    } catch (const vfd::Error&) {
        const auto gone = [](const std::string& path) { return ::access(path.c_str(), F_OK) != 0; };
        if (has_folder() || follow_names())
            return read_now();
        const auto found = std::ranges::find_if(paths_, gone);
        if (!state_ || found == paths_.end())
            throw;
        ended_ = true;
        throw std::runtime_error(*found + " is gone, as its process has ended: this is the last look at it");
    }
}

const exports::Subject& RunSource::subject() const { return state_->run.subject(); }
const exports::Part* RunSource::waits() const { return state_->waits ? &*state_->waits : nullptr; }
const analysis::ProcessTree& RunSource::processes() const { return state_->processes(); }
const std::vector<std::int32_t>& RunSource::ranks() const { return state_->ranks; }
bool RunSource::all_readable() const { return state_->input.all_readable(); }

exports::Part RunSource::part_of_rank(std::int32_t rank) const {
    exports::Part part;
    part.title = "rank " + std::to_string(rank);
    part.profile = state_->input.files().profile_of_rank(rank);
    return part;
}

bool RunSource::may_change() const {
    return !ended_ && (state_->written || changes_of_folders(paths_) != state_->changes);
}
bool RunSource::has_folder() const { return std::ranges::any_of(paths_, is_directory); }

} // namespace vftr::cli
