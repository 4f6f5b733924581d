// SPDX-License-Identifier: BSD-3-Clause
//
// The files of one run, as verbs get them on the command line: one per process, or the merged file of all ranks.
#pragma once

#include "analysis/merge/numbering.hpp"
#include "analysis/profile/profile.hpp"
#include "config/config.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::cli {

// Whether the files can be those of the ranks of one job, or its merged profile.
bool same_job(const vfd::Image& a, const vfd::Image& b);

// Files that do not belong together.
struct NotOneRun : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class RunFiles {
public:
    enum class Of {
        OneRun,
        Several, // processes and jobs of any runs; profile() is the sum over them, which has names and paths of all
    };
    // Throws vfd::Error for a file that is no recording, and NotOneRun.
    explicit RunFiles(const std::vector<std::string>& paths, Of of = Of::OneRun);

    bool merged() const;                                              // one file with the sum over all ranks
    const std::vector<std::int32_t>& ranks() const { return ranks_; } // ascending
    const std::vector<vfd::Image>& images() const { return images_; } // by rank
    std::int32_t size() const;                                        // number of ranks of the run, as far as known
    std::string basename() const;
    std::string_view config_text() const; // of the lowest rank; empty: none
    // The path of the configuration that the program read; empty for the defaults.
    std::string config_file() const;
    const std::string& config_label() const { return images_.front().label(); }

    // The profile of all processes of a rank together. If files of several ranks are given, its STIDs are those of
    // profile(). Throws std::runtime_error if no file is of that rank.
    analysis::Profile profile_of_rank(std::int32_t rank) const;
    // The sum over those of these ranks, all of which have files.
    analysis::Profile profile_of_ranks(const std::vector<std::int32_t>& ranks) const;
    // A thread of one of the processes.
    struct Thread {
        const vfd::Image* image;
        std::int32_t rank;
        std::uint32_t index; // ThreadRecord::index
        std::string title;   // "rank 3, thread 1"
    };
    std::vector<Thread> threads() const; // by rank, then by process; none in a merged file
    // The profile of one thread, and the sum over those of `threads` that the processes of these ranks have. The STIDs
    // are those of profile().
    analysis::Profile profile_of_thread(const Thread& thread) const;
    analysis::Profile profile_of_threads(const std::vector<std::int32_t>& ranks, const config::RankSet& threads) const;
    // The profile of all ranks, with the STIDs of the run's merged profile if its file is given too. Ranks of the run
    // without a file are missing ranks.
    analysis::Profile profile() const;

private:
    using LoadProfile = std::function<analysis::Profile(const vfd::Image&)>;
    analysis::Profile sum_of_rank(std::int32_t rank, const LoadProfile& load = analysis::load_profile) const;
    // Of the run, beside these.
    analysis::RankList missing_ranks(const std::vector<std::int32_t>& there) const;
    void add_missing_ranks(analysis::Profile& sum, const std::vector<std::int32_t>& there) const;
    void leave_snapshots_out();
    void leave_merged_out();
    bool only_add_to(const vfd::Image& merged) const;
    analysis::Profile merged_profile() const;
    const analysis::Numbering& numbering_of_ranks() const;
    const analysis::Numbering& numbering() const;

    std::vector<vfd::Image> images_; // by rank, then by start; never empty
    std::vector<vfd::Image> later_;  // beside a merged file: those of some ranks, for what they did after MPI_Finalize
    std::vector<std::int32_t> ranks_;
    analysis::Numbering of_merged_;      // of the merged file that is left out; empty: there was none
    mutable analysis::Numbering of_all_; // once it was needed
};

} // namespace vftr::cli
