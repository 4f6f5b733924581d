// SPDX-License-Identifier: BSD-3-Clause
//
// The Profile: what one or many processes have in common, as one call tree with statistics over ranks.
//
// Why statistics and not a value per rank. Collation over thousands of ranks may not cost memory that grows
// with their number, so each path keeps sum, minimum, maximum and where they were; these merge pairwise in any
// order. A rank that lacks a path counts as 0 there: the merge knows the ranks that each side covers.
// Exclusive and inclusive times are those without us: what the hooks cost has been taken away.
// All threads of a rank are summed into it; of a path's threads the longest is known, and some threads have a row
// (thread_profile.hpp). Merging in whatever order gives, after canonicalise(), the same bytes.
//
// Why whole nanoseconds. Sums of floating-point numbers depend on the order of adding, sums of integers do
// not. 64 bits hold the exclusive times of a hundred thousand ranks over a day.
#pragma once

#include "analysis/breakdown.hpp"
#include "analysis/communication.hpp"
#include "analysis/openmp.hpp"
#include "analysis/rank_list.hpp"
#include "analysis/rank_stat.hpp"
#include "analysis/thread_profile.hpp"
#include "vfd/format.hpp"
#include "vfd/metadata_note.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::vfd {
class Image;
}

namespace vftr::analysis {

using vfd::NodeKind;

constexpr double seconds(std::uint64_t ns) { return static_cast<double>(ns) * 1e-9; }

struct PathNode {
    std::uint32_t parent = 0; // index, smaller than the own; the root is index 0 and its own parent
    std::uint32_t name = 0;   // index into Profile::names
    NodeKind kind = NodeKind::Function;
    bool precise = false;
    bool excluded = false;     // its function was excluded while a thread of some process ran: these are not all calls
    std::uint32_t ranks = 0;   // that have this path; fewer than Profile::rank_count: it is 0 elsewhere
    std::uint32_t threads = 0; // of all ranks (records, see thread_profile.hpp) that have this path
    std::uint64_t calls = 0;   // over all ranks and threads
    std::uint64_t exclusive = 0,
                  inclusive = 0; // ns over all ranks and threads; what they are on single ranks is in Profile::extremes
    // ns over all ranks. Of what the hooks of this path's calls cost the least is in its own time, most is in its
    // caller's (compensation.hpp).
    std::uint64_t overhead = 0;
    std::uint64_t raw_exclusive = 0, raw_inclusive = 0; // with what the hooks cost there
    std::uint64_t estimated = 0;                        // of the calls, those that were counted and not timed
    std::uint64_t variance =
        0; // of the sum of `exclusive`, µs², rounded up and at most the largest number; 0: it is exact
    std::uint64_t unknown =
        0; // ns: how far off `exclusive` may be as the hooks cost something else (compensation.hpp), sum
    std::uint64_t longest_thread = 0; // ns: the largest exclusive time of one of them
};

// The times of a path over ranks.
struct PathExtremes {
    Extremes exclusive, inclusive;
};

// Facts about the recording of the ranks together. Times are nanoseconds.
struct Summary {
    std::uint64_t start_realtime_ns = 0, end_realtime_ns = 0; // earliest, latest
    std::uint64_t runtime = 0;                                // of the longest rank
    std::uint64_t runtime_sum = 0;   // over all ranks and threads: what 100 % of exclusive time is
    std::uint64_t hook_overhead = 0; // of the rank where it is largest, see lost_time.hpp
    std::uint64_t mpi_overhead = 0;
    std::uint64_t one_time_work = 0; // ours at begin, first calls and end, likewise (record/one_time_work.hpp)
    std::uint64_t waiting = 0;       // for a core, likewise; in no path's time (record/off_cpu.hpp)
    std::uint64_t cpu = 0;           // CPU time of the recorded threads, sum over ranks; the cost of the hooks included
    std::uint64_t memory_bytes = 0;  // of the recorder, sum over ranks
    std::uint64_t processes = 0;     // recordings: ranks, and what was added to them
    std::uint64_t threads = 0;       // sum over processes
    // Sums; recovered: of killed processes, closed by vftr recover; unfinished: files not sealed. A recorder that makes
    // the profile of itself sets that to 0.
    std::uint64_t dropped = 0, vanished = 0, unmatched = 0, overflow_calls = 0, recovered = 0, unfinished = 0;
    std::uint64_t max_call_paths = 0;
    bool short_of_space = false;      // calls overflowed before that, as there was no more address space for paths
    std::uint64_t hook_calls_out = 0; // of excluded functions, taken out of the running text; sum
    std::uint64_t hook_calls_uncertain =
        0; // others in the same text that stay, as it is not certain which function they are for; sum
    std::uint64_t excluded_call_ps =
        0; // what the hooks of a call of an excluded function cost where they stay, picoseconds; the largest
    std::uint64_t refused_threads = 0; // there was no record for them; sum
    bool mpi = false, file_lost = false;
    bool messages_lost = false; // there was no memory for some
    bool ahead = false;         // the lowest rank is counted to its end, the others to their collation in MPI_Finalize
};

class Profile {
public:
    std::vector<std::string> names;
    std::vector<PathNode> nodes;        // nodes[0] is the root, named "init"
    std::vector<PathExtremes> extremes; // by path; empty: there is one rank, whose times are those of the paths. A
                                        // process with many paths needs the memory that it does not take
    std::vector<std::uint32_t> stids;   // ascending; empty: each node's STID is its index
    std::uint32_t shared_stids =
        0; // those below are numbers of call paths of the whole job; 0: all are this profile's own
    bool stids_of_files = false; // of several ranks of a job, which had numbered them by itself
    Summary summary;
    std::int32_t first_rank = 0; // lowest rank covered
    std::uint32_t rank_count = 0;
    RankList missing_ranks; // that should be here and are not (dead, late)
    RankList late_ranks;    // that are here as far as they had come when the others were collated without them
    RankList exited_ranks;  // that ended without MPI_Finalize
    RankList killed_ranks;  // that had not come to MPI_Finalize when they were killed, or run on
    std::vector<PathMessages> messages; // sorted by node; only of those that have some
    std::vector<MatrixCell> matrix;     // sorted by pair; see communication.hpp
    LighterPairs lighter_pairs;         // that the matrix lacks in a large job
    RankStat sent_bytes, received_bytes, sent_messages, received_messages; // of a rank
    std::uint32_t world_size = 0;                                          // ranks of the job, 0 without MPI
    std::vector<ThreadRow> threads;                                        // the longest; sorted when canonical
    ThreadTotals thread_totals;                                            // of all
    std::vector<OpenMpRegion> regions;                                     // sorted by node
    Breakdown breakdown;                                                   // where the time of all threads went
    std::string application;                                               // basename of the executable
    std::string config_text;                                               // of the lowest rank
    std::string hook_calls_stay; // why they were not taken out, of the process whose reason is the first by alphabet;
                                 // empty: nothing was in the way
    std::vector<vfd::ExpressionUse> expressions; // by rule and text; uses: of the process where it is used most

    std::uint32_t stid(std::uint32_t node) const { return stids.empty() ? node : stids[node]; }
    RankStat exclusive(std::uint32_t node) const {
        return over_ranks(nodes[node].exclusive, node, &PathExtremes::exclusive);
    }
    RankStat inclusive(std::uint32_t node) const {
        return over_ranks(nodes[node].inclusive, node, &PathExtremes::inclusive);
    }
    // Nanoseconds.
    double average(std::uint64_t sum) const { return rank_count ? static_cast<double>(sum) / rank_count : 0; }
    double average(const RankStat& s) const { return average(s.sum); }

private:
    RankStat over_ranks(std::uint64_t sum, std::uint32_t node, Extremes PathExtremes::*which) const {
        return extremes.empty() ? of_one_rank(sum, first_rank) : RankStat{sum, extremes[node].*which};
    }
};

// All that a Profile says of single ranks.
inline constexpr RankList Profile::*ListsOfRanks[] = {&Profile::missing_ranks, &Profile::late_ranks,
                                                      &Profile::exited_ranks, &Profile::killed_ranks};

// One process's recording, open or sealed; frames that are still open count up to the image's latest moment.
// Names: those in the file, the rest resolved from its modules. Two functions of one name under one caller are one
// path. Throws vfd::Error.
Profile profile_of(const vfd::Image& image);
// For a Merged file: its profile; else profile_of.
Profile load_profile(const vfd::Image& image);

// Adds `other`, which covers other ranks, to `into`. Returns the indices that the nodes of `other` have in `into`,
// which has those that it had before at the same place.
std::vector<std::uint32_t> merge(Profile& into, const Profile& other);
// The same; where `into` is empty it takes what `other` has, so that there is never a second copy.
std::vector<std::uint32_t> merge(Profile& into, Profile&& other);
// Adds another process of the one rank that `into` covers, e.g. a forked child.
void add_process(Profile& into, const Profile& other);

// Sorts children by name, breadth first, so that index = stack id (STID), the same whatever the order of merging. For
// STIDs that several profiles have in common: numbering.hpp.
void canonicalise(Profile& profile);

// Deviation from the average of the rank where it is largest, in percent of the average (0 for one rank), negative
// where that rank is below the average. Where the fastest and the slowest rank deviate equally, the slowest is meant;
// and where it is not true that `everywhere`, on every rank, there was something to measure, too.
struct Imbalance {
    double percent;
    std::int32_t rank;
};
Imbalance imbalance(const Profile& profile, const RankStat& s, bool everywhere = true);

// Adds variances as they are kept; in any order the same.
constexpr std::uint64_t add_variances(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? ~std::uint64_t{0} : a + b;
}

// What is uncertain of the exclusive time of a path, or of several together: which of the calls were timed (the
// variance), and what the hooks cost, which depends on the code around them (compensation.hpp). The former is by chance
// and differs from path to path, so variances add up; the latter is one error of all paths, so that the times do.
struct Uncertainty {
    std::uint64_t exclusive = 0, variance = 0, unknown = 0; // ns, µs², ns

    void add(const PathNode& node) {
        exclusive += node.exclusive;
        variance = add_variances(variance, node.variance);
        unknown += node.unknown;
    }
    void add(const Uncertainty& other) {
        exclusive += other.exclusive;
        variance = add_variances(variance, other.variance);
        unknown += other.unknown;
    }
    // Half of the interval that the time is in with a confidence of 95 % (two standard deviations), in percent of it; 0
    // where the time is 0.
    double percent() const;
};

// How much longer than the average the longest thread of a path was in it, in percent of the average. Threads that lack
// the path do not count.
double thread_imbalance(const PathNode& node);

// "f<main<init" of a node.
std::string call_path(const Profile& profile, std::uint32_t node);

} // namespace vftr::analysis
