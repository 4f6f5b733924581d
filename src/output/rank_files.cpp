// SPDX-License-Identifier: BSD-3-Clause
#include "output/rank_files.hpp"

#include "report/report.hpp"
#include "vfd/file_copy.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace vftr::output {
namespace {

using analysis::Profile;
using vfd::FileHeader;

std::uint64_t latest_moment(const FileHeader& header) {
    return header.state != vfd::FileState::Open ? header.end.realtime_ns
                                                : std::max(header.last[0].realtime_ns, header.last[1].realtime_ns);
}

std::optional<Profile> profile_of_rank(const std::string& path, const FileHeader& own, std::int32_t rank) {
    try {
        const vfd::FileCopy file(path);
        if (!of_this_job(file.header(), own, rank))
            return std::nullopt;
        Profile profile = analysis::profile_of(file.image());
        if (file.header().flags & vfd::FlagInFinalize)
            profile.summary.unfinished = 0; // as its own recorder would have said
        else
            profile.late_ranks.add(rank);
        profile.killed_ranks = {}; // it is on its way, as far as is known here
        return profile;
    } catch (const vfd::Error&) {
        return std::nullopt;
    }
}

} // namespace

bool of_this_job(const FileHeader& file, const FileHeader& own, std::int32_t rank) {
    // The clocks of two machines agree to within seconds.
    constexpr std::uint64_t ClocksApart = 5'000'000'000;
    const bool same_host = std::strncmp(file.hostname, own.hostname, sizeof file.hostname) == 0;
    return file.kind == vfd::FileKind::Process && (file.flags & vfd::FlagMpi) && file.rank == rank &&
           file.size == own.size && latest_moment(file) + (same_host ? 0 : ClocksApart) >= own.start.realtime_ns;
}

void add_rank_files(Profile& profile, const Destination& output, const FileHeader& own,
                    std::chrono::steady_clock::time_point deadline) {
    const analysis::RankList missing = std::exchange(profile.missing_ranks, {});
    for (const analysis::RankList::Range& range : missing.ranges())
        for (std::int32_t rank = range.first; rank <= range.last; ++rank) {
            if (std::chrono::steady_clock::now() >= deadline) {
                profile.missing_ranks.add(rank, range.last);
                break;
            }
            const std::string name = report::log_stem(output.basename, rank, own.size) + ".vfd";
            if (auto found = profile_of_rank(output.path(name), own, rank))
                analysis::merge(profile, std::move(*found));
            else
                profile.missing_ranks.add(rank);
        }
}

} // namespace vftr::output
