// SPDX-License-Identifier: BSD-3-Clause
#include "output/later_calls.hpp"

#include "analysis/merge/remainder.hpp"
#include "base/process.hpp"
#include "output/rank_files.hpp"
#include "report/report.hpp"
#include "vfd/file_copy.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <utility>

namespace vftr::output {
namespace {

using analysis::Profile;
using vfd::FileHeader;
using Clock = std::chrono::steady_clock;

class Ranks {
public:
    Ranks(const Destination& output, const FileHeader& own, Clock::time_point deadline)
        : output_(output), own_(own), deadline_(deadline) {}

    LaterCalls take() {
        for (std::int32_t rank = 1; rank < own_.size; ++rank)
            running_.push_back(rank);
        constexpr std::chrono::milliseconds FirstPause(1), LongestPause(20);
        for (auto pause = FirstPause;; pause = std::min(2 * pause, LongestPause)) {
            std::erase_if(running_, [this](std::int32_t rank) { return is_settled(rank); });
            if (running_.empty() || Clock::now() + pause >= deadline_)
                break;
            std::this_thread::sleep_for(pause);
        }
        for (const std::int32_t rank : running_)
            found_.running_ranks.add(rank);
        return std::move(found_);
    }

private:
    bool is_late() const { return Clock::now() >= deadline_; }

    bool ended(const FileHeader& file) const {
        if (file.state != vfd::FileState::Open)
            return true;
        const bool same_host = std::strncmp(file.hostname, own_.hostname, sizeof file.hostname) == 0;
        return same_host && !base::process_lives(static_cast<pid_t>(file.pid), file.process_start, file.pid_namespace);
    }

    static bool has_calls(const Profile& profile) {
        return std::any_of(profile.nodes.begin(), profile.nodes.end(),
                           [](const analysis::PathNode& node) { return node.calls != 0; });
    }

    // Takes what there is of a rank that has ended. False: it still runs, as far as can be seen here.
    bool is_settled(std::int32_t rank) {
        const std::string path = output_.path(report::log_stem(output_.basename, rank, own_.size) + ".vfd");
        try {
            const FileHeader header = vfd::read_header(path);
            if (!of_this_job(header, own_, rank) || !(header.flags & vfd::FlagCollated))
                return true;
            if (is_late() || !ended(header))
                return false;
            const vfd::FileCopy file(path);
            auto remainder = analysis::remainder_of(file.image());
            if (!remainder)
                return false;           // it is in the file
            if (!has_calls(*remainder)) // the rank is about to remove its file, or has a timeline
                return true;
            analysis::merge(found_.remainders, std::move(*remainder));
            if (header.state == vfd::FileState::Sealed && !(header.flags & vfd::FlagSampling))
                found_.files.push_back(path);
        } catch (const vfd::Error&) {
            // The rank has removed its file, or it is on another machine, or the rank makes it smaller just now.
            return ::access(path.c_str(), F_OK) != 0;
        }
        return true;
    }

    const Destination& output_;
    const FileHeader& own_;
    const Clock::time_point deadline_;
    std::vector<std::int32_t> running_;
    LaterCalls found_;
};

} // namespace

LaterCalls later_calls(const Destination& output, const FileHeader& own, Clock::time_point deadline) {
    return Ranks(output, own, deadline).take();
}

void remove_taken(const std::vector<std::string>& files) {
    for (const std::string& file : files)
        ::unlink(file.c_str());
}

} // namespace vftr::output
