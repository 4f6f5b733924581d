// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/stids.hpp"

#include <utility>

namespace vftr::mpi {

using analysis::Numbering;
using analysis::Profile;

Stids of_part(const Stids& whole, const MergedRank& part) {
    Stids stids;
    stids.reserve(part.place.size() + 1);
    stids.push_back(whole[0]);
    for (std::uint32_t node : part.place)
        stids.push_back(whole[node + 1]);
    return stids;
}

Numbering number_job(Profile mine, const Profile& others) {
    analysis::merge(mine, others);
    analysis::canonicalise(mine);
    return analysis::numbering_of(mine);
}

Stids stids_in(const Numbering& job, const Profile& others) {
    Stids stids = analysis::stids_of(others, job);
    stids.insert(stids.begin(), job.first_free);
    return stids;
}

Numbering numbered(Numbering paths, std::span<const std::uint32_t> stids) {
    if (stids.size() != paths.paths.size() + 1)
        return {};
    paths.first_free = stids[0];
    paths.stids.assign(stids.begin() + 1, stids.end());
    for (std::size_t i = 0; i < paths.stids.size(); ++i)
        if (paths.stids[i] >= paths.first_free ||
            (i == 0 ? paths.stids[i] != 0 : paths.stids[i] <= paths.stids[paths.paths[i].parent]))
            return {};
    return paths;
}

} // namespace vftr::mpi
