// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/tree.hpp"

#include "analysis/serialize.hpp"
#include "vfd/image.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace vftr::mpi {
namespace {

using analysis::Profile;

// What a rank has gathered so far.
class Gathered {
public:
    void add(Profile other) {
        missing_.insert(missing_.end(), other.missing_ranks.begin(), other.missing_ranks.end());
        other.missing_ranks.clear();
        if (other.rank_count == 0)
            return;
        if (profile_.rank_count == 0)
            profile_ = std::move(other);
        else
            analysis::merge(profile_, other);
    }
    void add_missing(int first, int last) {
        for (int rank = first; rank < last; ++rank)
            missing_.push_back(rank);
    }
    Profile take() {
        std::sort(missing_.begin(), missing_.end());
        profile_.missing_ranks = std::move(missing_);
        return std::move(profile_);
    }

private:
    Profile profile_;
    std::vector<std::int32_t> missing_;
};

// A partner's message as a profile; nullopt if there is none or it is not one.
std::optional<Profile> receive_profile(Link& link, int from, Clock::time_point deadline) {
    const auto bytes = link.receive(from, deadline);
    if (!bytes)
        return std::nullopt;
    try {
        return analysis::deserialize(*bytes, "rank " + std::to_string(from));
    } catch (const vfd::Error&) {
        return std::nullopt;
    }
}

} // namespace

Reduced reduce(Link& link, const Profile& mine, double timeout_s) {
    const auto timeout =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_s));
    const int rank = link.rank(), size = link.size();
    Gathered gathered;
    if (rank != 0) {
        gathered.add(mine);
        if (mine.rank_count == 0)
            gathered.add_missing(rank, rank + 1);
    }
    bool complete = true;
    auto deadline = Clock::now() + timeout;
    for (int step = 1; step < size; step <<= 1, deadline += timeout) {
        if (rank & step) {
            complete &= link.send(rank - step, analysis::serialize(gathered.take()), deadline);
            return {Profile{}, complete};
        }
        const int partner = rank + step;
        if (partner >= size)
            continue;
        if (auto profile = receive_profile(link, partner, deadline)) {
            gathered.add(std::move(*profile));
        } else {
            gathered.add_missing(partner, std::min(partner + step, size));
            complete = false;
        }
    }
    return {gathered.take(), complete};
}

} // namespace vftr::mpi
