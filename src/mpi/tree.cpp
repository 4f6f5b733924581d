// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/tree.hpp"

#include "analysis/serialize.hpp"
#include "vfd/image.hpp"

#include <algorithm>
#include <bit>
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

int steps(int size) {
    return size > 1 ? static_cast<int>(std::bit_width(static_cast<unsigned>(size - 1))) : 0;
}

} // namespace

Reduced reduce(Link& link, Profile mine, double seconds, Clock::time_point begin) {
    const int rank = link.rank(), size = link.size();
    const auto share = to_duration(seconds / std::max(1, steps(size)));
    Reduced reduced;
    Profile gathered;
    if (rank != 0) {
        analysis::merge(gathered, std::move(mine));
        if (gathered.rank_count == 0)
            gathered.missing_ranks.add(rank);
    }
    auto deadline = begin + share;
    for (int step = 1; step < size; step <<= 1, deadline += share) {
        if (rank & step) {
            std::vector<std::byte> bytes = analysis::serialize(std::exchange(gathered, {}));
            reduced.sent = link.send(rank - step, std::move(bytes), deadline);
            return reduced;
        }
        const int partner = rank + step;
        if (partner >= size)
            continue;
        if (auto profile = receive_profile(link, partner, deadline)) {
            analysis::merge(gathered, std::move(*profile));
        } else {
            gathered.missing_ranks.add(partner, std::min(partner + step, size) - 1);
            reduced.all_came = false;
        }
    }
    reduced.profile = std::move(gathered);
    return reduced;
}

} // namespace vftr::mpi
