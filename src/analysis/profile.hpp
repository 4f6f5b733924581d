// SPDX-License-Identifier: BSD-3-Clause
//
// The Profile: what one or many processes have in common, as one call tree with statistics over ranks.
//
// Why statistics and not a value per rank. Collation over thousands of ranks may not cost memory that grows
// with their number, so each path keeps sum, minimum, maximum and where they were; these merge pairwise in any
// order. A rank that lacks a path counts as 0 there: the merge knows the ranks that each side covers.
// All threads of a rank are summed into it. Merging in whatever order gives, after canonicalise(), the same bytes.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::vfd {
class Image;
}

namespace vftr::analysis {

using vfd::NodeKind;

// A value in seconds over the ranks of a Profile.
struct RankStat {
    double sum = 0, min = 0, max = 0;
    std::int32_t min_rank = 0, max_rank = 0; // the lowest rank that has the value
};

struct PathNode {
    std::uint32_t parent; // index, smaller than the own; the root is index 0 and its own parent
    std::uint32_t name;   // index into Profile::names
    NodeKind kind;
    bool precise;
    std::uint64_t calls;    // over all ranks and threads
    std::uint32_t ranks;    // number of ranks that have this path; fewer than Profile::rank_count: 0 elsewhere
    RankStat exclusive, inclusive;
    double overhead;        // seconds over all ranks: estimated cost of the hooks that ran for this path
};

// Facts about the recording of the ranks together.
struct Summary {
    std::uint64_t start_realtime_ns = 0, end_realtime_ns = 0; // earliest, latest
    double runtime = 0;       // seconds, of the longest rank
    double runtime_sum = 0;   // over all ranks and threads: what 100 % of exclusive time is
    double hook_overhead = 0; // seconds, of the rank where it is largest
    double mpi_overhead = 0;
    std::uint64_t memory_bytes = 0; // of the recorder, sum over ranks
    std::uint64_t threads = 0;      // sum over ranks
    std::uint64_t dropped = 0, vanished = 0, unmatched = 0, overflow_calls = 0, unfinished = 0; // sums; unfinished: files not sealed
    std::uint64_t max_call_paths = 0;
    bool mpi = false, file_lost = false;
};

class Profile {
public:
    std::vector<std::string> names;
    std::vector<PathNode> nodes; // nodes[0] is the root, named "init"
    Summary summary;
    std::int32_t first_rank = 0; // lowest rank covered
    std::uint32_t rank_count = 0;
    std::vector<std::int32_t> missing_ranks; // that should be here and are not (dead, late)
    std::string application; // basename of the executable
    std::string config_text; // of the lowest rank

    double average(const RankStat& s) const { return rank_count ? s.sum / rank_count : 0; }
};

// One process's recording, open or sealed; frames that are still open count up to the image's latest moment.
// Names: those in the file, the rest resolved from its modules. Two functions of one name under one caller are one path.
// Throws vfd::Error.
Profile profile_of(const vfd::Image& image);
// For a Merged file: its profile; else profile_of.
Profile load_profile(const vfd::Image& image);

// Adds `other`, which covers other ranks, to `into`.
void merge(Profile& into, const Profile& other);

// Sorts children by name, breadth first, so that index = global stack id (STID), the same whatever the order of merging.
void canonicalise(Profile& profile);

// Deviation from the average of the rank where it is largest, in percent of the average (0 for one rank).
struct Imbalance {
    double percent;
    std::int32_t rank;
};
Imbalance imbalance(const Profile& profile, const RankStat& s);

// "f<main<init" of a node.
std::string call_path(const Profile& profile, std::uint32_t node);

} // namespace vftr::analysis
