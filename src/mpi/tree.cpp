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
    Reduced reduced;
    Profile gathered;
    if (rank != 0) {
        analysis::merge(gathered, mine);
        if (mine.rank_count == 0)
            gathered.missing_ranks.add(rank);
    }
    auto deadline = Clock::now() + timeout;
    for (int step = 1; step < size; step <<= 1, deadline += timeout) {
        if (rank & step) {
            reduced.sent = link.send(rank - step, analysis::serialize(gathered), deadline);
            return reduced;
        }
        const int partner = rank + step;
        if (partner >= size)
            continue;
        if (auto profile = receive_profile(link, partner, deadline)) {
            analysis::merge(gathered, *profile);
        } else {
            gathered.missing_ranks.add(partner, std::min(partner + step, size) - 1);
            reduced.all_came = false;
        }
    }
    reduced.profile = std::move(gathered);
    return reduced;
}

} // namespace vftr::mpi
