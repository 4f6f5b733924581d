// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduction_tree.hpp"

#include "analysis/merge/bytes.hpp"
#include "analysis/merge/serialize.hpp"
#include "vfd/image.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>

namespace vftr::mpi {
namespace {

using analysis::Profile;

// A rank's message: the profile that it has gathered, and after its bytes one byte that says whether the rank wants
// STIDs.
struct Letter {
    Profile profile;
    bool wants_stids;
};

std::vector<std::byte> bytes_of(Profile gathered, bool wants_stids) {
    std::vector<std::byte> bytes = analysis::serialize(std::exchange(gathered, {}));
    bytes.push_back(std::byte{wants_stids});
    return bytes;
}

// Receives a partner's message; nullopt if none comes or it is not valid.
std::optional<Letter> receive_letter(Link& link, int from, Clock::time_point deadline) {
    const auto bytes = link.receive(from, deadline);
    if (!bytes || bytes->empty())
        return std::nullopt;
    try {
        return Letter{analysis::deserialize(std::span(*bytes).first(bytes->size() - 1), "rank " + std::to_string(from)),
                      bytes->back() != std::byte{0}};
    } catch (const vfd::Error&) {
        return std::nullopt;
    }
}

std::vector<std::byte> bytes_of(const Stids& stids) {
    analysis::ByteWriter bytes;
    for (std::uint32_t stid : stids)
        bytes.number(stid);
    return bytes.take();
}

Stids receive_stids(Link& link, int from, Clock::time_point deadline) {
    Stids stids;
    const auto bytes = link.receive(from, deadline);
    if (!bytes)
        return stids;
    const std::string label = "rank " + std::to_string(from);
    try {
        for (analysis::ByteReader in(*bytes, label); !in.at_end();)
            stids.push_back(in.number_up_to<std::uint32_t>(0xffffffff, "an STID"));
    } catch (const vfd::Error&) {
        stids.clear();
    }
    return stids;
}

int steps(int size) { return size > 1 ? static_cast<int>(std::bit_width(static_cast<unsigned>(size - 1))) : 0; }

} // namespace

Reduced reduce(Link& link, Profile mine, double seconds, Clock::time_point begin, bool wants_stids) {
    const int rank = link.rank(), size = link.size();
    const auto share = to_duration(seconds / std::max(1, steps(size)));
    Reduced reduced;
    Profile gathered;
    if (rank != 0) {
        reduced.wants_stids = wants_stids;
        reduced.own_paths = mine.nodes.size();
        analysis::merge(gathered, std::move(mine));
        if (gathered.rank_count == 0)
            gathered.missing_ranks.add(rank);
    }
    auto deadline = begin + share;
    for (int step = 1; step < size; step <<= 1, deadline += share) {
        if (rank & step) {
            reduced.sent = link.send(rank - step, bytes_of(std::move(gathered), reduced.wants_stids), deadline);
            return reduced;
        }
        const int partner = rank + step;
        if (partner >= size)
            continue;
        if (auto letter = receive_letter(link, partner, deadline)) {
            MergedRank part{partner, analysis::merge(gathered, std::move(letter->profile))};
            if (letter->wants_stids) {
                reduced.wants_stids = true;
                reduced.parts.push_back(std::move(part));
            }
        } else {
            gathered.missing_ranks.add(partner, std::min(partner + step, size) - 1);
            reduced.all_came = false;
        }
    }
    reduced.profile = std::move(gathered);
    return reduced;
}

Stids hand_back(Link& link, const Reduced& reduced, Stids stids, Clock::time_point deadline, bool& quiet) {
    const int rank = link.rank();
    std::size_t paths = reduced.own_paths; // as many as the parts need
    for (const MergedRank& part : reduced.parts)
        for (std::uint32_t node : part.place)
            paths = std::max(paths, node + std::size_t{1});
    if (rank != 0)
        stids = receive_stids(link, rank & (rank - 1), deadline);
    if (stids.size() < paths + 1) {
        quiet = false;
        return {};
    }
    for (std::size_t left = reduced.parts.size(); left > 0; --left) {
        const MergedRank& part = reduced.parts[left - 1];
        // If a partner has died, those after it wait only as long as its share of the time.
        const auto now = Clock::now();
        quiet &= link.send(part.rank, bytes_of(of_part(stids, part)),
                           now + std::max(deadline - now, Clock::duration(0)) / left);
    }
    stids.resize(reduced.own_paths + 1);
    return stids;
}

} // namespace vftr::mpi
