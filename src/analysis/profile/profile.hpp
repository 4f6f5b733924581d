// SPDX-License-Identifier: BSD-3-Clause
//
// The Profile: one call tree that one or many processes share, with statistics over their ranks.
//
// Why statistics and not a value per rank: the memory for a collation over thousands of ranks must not grow with their
// number, so each path keeps sum, minimum, maximum and the ranks of both; these merge pairwise in any order. A rank
// that lacks a path counts as 0 there: the merge knows the ranks that each side covers. Exclusive and inclusive times
// are those of the program without recording: the cost of the hooks has been subtracted. The times of a rank are sums
// over its threads. For each path the time of the thread that spent most in it is known, and some threads have a row of
// their own (thread_profile.hpp). After canonicalise() the bytes of a merged profile do not depend on the order of
// merging.
//
// Why whole nanoseconds: sums of floating-point numbers depend on the order of addition, sums of integers do not. 64
// bits hold the exclusive times of a hundred thousand ranks over a day.
#pragma once

#include "analysis/profile/application.hpp"
#include "analysis/profile/breakdown.hpp"
#include "analysis/profile/communication.hpp"
#include "analysis/profile/duration_histogram.hpp"
#include "analysis/profile/openmp.hpp"
#include "analysis/profile/rank_list.hpp"
#include "analysis/profile/rank_stat.hpp"
#include "analysis/profile/rank_times.hpp"
#include "analysis/profile/thread_profile.hpp"
#include "vfd/format.hpp"
#include "vfd/metadata_note.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vftr::vfd {
class Image;
}

namespace vftr::analysis {

using vfd::NodeKind;

constexpr double seconds(std::uint64_t ns) { return static_cast<double>(ns) * 1e-9; }

struct PathNode {
    std::uint32_t parent = 0; // index, smaller than that of this node; the root has index 0 and is its own parent
    std::uint32_t name = 0;   // index into Profile::names
    NodeKind kind = NodeKind::Function;
    bool precise = false;
    bool excluded = false; // the function was excluded for a part of some process's run, so `calls` lacks some
    // How many ranks have this path. If they are fewer than Profile::rank_count, its times on the others are 0.
    std::uint32_t ranks = 0;
    std::uint32_t threads = 0; // how many threads of all ranks (records, see thread_profile.hpp) have this path
    std::uint64_t calls = 0;   // over all ranks and threads
    std::uint64_t exclusive = 0,
                  inclusive = 0; // ns over all ranks and threads; Profile::extremes has the values of single ranks
    // Cost of the hooks of this path's calls, in ns over all ranks. The smaller part of it was measured in this path's
    // own time, most of it in that of its caller (compensation.hpp).
    std::uint64_t overhead = 0;
    std::uint64_t raw_exclusive = 0, raw_inclusive = 0; // with the cost of the hooks
    std::uint64_t estimated = 0;                        // calls that were counted and not timed
    // The part of `calls` that nothing counted (vfd::UnseenCalls), and half the width of its 95 % confidence interval.
    std::uint64_t unseen = 0, unseen_error = 0;
    std::uint64_t variance = 0; // of `exclusive`, µs², rounded up, saturates; 0: `exclusive` is exact
    std::uint64_t unknown = 0;  // ns, sum: by how much `exclusive` may be wrong because the cost of the hooks is not
                                // known exactly (compensation.hpp)
    std::uint64_t longest_thread = 0; // ns: the largest exclusive time that one thread has in this path
};

// The times of a path over ranks.
struct PathExtremes {
    Extremes exclusive, inclusive;
};

// What is known of the recordings of all ranks together. Times are nanoseconds.
struct Summary {
    std::uint64_t start_realtime_ns = 0, end_realtime_ns = 0; // earliest, latest
    HeadTimes times;
    std::uint64_t runtime_sum = 0; // over all ranks and threads: 100 % of the exclusive time
    std::uint64_t cpu = 0;         // CPU time of the recorded threads, sum over ranks, with the cost of the hooks
    // Its part of threads with too few CPU samples to tell anything, where samples were wanted.
    std::uint64_t cpu_without_samples = 0;
    std::uint64_t memory_bytes = 0; // of the recorder, sum over ranks
    std::uint64_t processes = 0; // number of recordings: those of the ranks, and of processes that were added to them
    std::uint64_t threads = 0;   // sum over processes
    // Sums over processes. `recovered` counts the recordings of killed processes that `vftr recover` has closed,
    // `unfinished` the files that are not sealed; a recorder that makes the profile of its own process sets
    // `unfinished` to 0.
    std::uint64_t dropped = 0, shared_calls = 0, vanished = 0, unmatched = 0, overflow_calls = 0, recovered = 0,
                  unfinished = 0;
    std::uint64_t max_call_paths = 0;
    // Whether calls overflowed below max_call_paths, because there was no more address space for paths.
    bool short_of_space = false;
    // The number of hook calls of excluded functions that were removed from the running machine code; sum.
    std::uint64_t hook_calls_out = 0;
    // The number of other hook calls in the same code, which stay because it is not certain which function they are
    // for; sum.
    std::uint64_t hook_calls_uncertain = 0;
    // The cost in picoseconds of a call of an excluded function whose hooks stay; the largest of all processes.
    std::uint64_t excluded_call_ps = 0;
    std::uint64_t refused_threads = 0;      // threads that could not be recorded, as no record was left for them; sum
    std::uint64_t threads_without_ring = 0; // threads that could not be sampled, for lack of memory; sum
    bool mpi = false, file_lost = false;
    bool messages_lost = false; // some messages were not counted, for lack of memory
    // The lowest rank is counted up to its end, the others only up to the collation in MPI_Finalize, except for
    // Profile::whole_ranks.
    bool ahead = false;

    bool lacks_samples() const { return cpu_without_samples > cpu / 2; }
};

class Profile {
public:
    std::vector<std::string> names;
    std::vector<PathNode> nodes;        // nodes[0] is the root, named "init"
    std::vector<PathExtremes> extremes; // by path; empty: there is only one rank, and its times are those in `nodes`
                                        // (which saves memory in a process with many paths)
    std::vector<std::uint32_t> stids;   // ascending; empty: each node's STID is its index
    // STIDs below this one are those of the whole job; 0: all STIDs are this profile's own.
    std::uint32_t shared_stids = 0;
    // Whether the STIDs come from several files of a job's ranks, each of which had numbered its paths by itself.
    bool stids_of_files = false;
    Summary summary;
    std::int32_t first_rank = 0; // lowest rank covered
    std::uint32_t rank_count = 0;
    RankList missing_ranks; // ranks that should be covered and are not (dead, late)
    RankList late_ranks;    // ranks that are covered only up to the moment when the others were collated without them
    RankList exited_ranks;  // ranks that ended without MPI_Finalize
    RankList killed_ranks;  // ranks that were killed before MPI_Finalize, or still run
    // Where Summary::ahead: ranks other than the lowest that have called functions after MPI_Finalize, which are
    // counted (merge/remainder.hpp); and those that may have done so and still ran.
    RankList whole_ranks, running_ranks;
    std::vector<PathMessages> messages; // sorted by node; only of nodes that have messages
    std::vector<MatrixCell> matrix;     // sorted by pair; see communication.hpp
    LighterPairs lighter_pairs;         // sum of the pairs that are not in the matrix of a large job
    RankStat sent_bytes, received_bytes, sent_messages, received_messages; // per rank
    std::uint32_t world_size = 0;                                          // ranks of the job, 0 without MPI
    std::vector<ThreadRow> threads;                                        // the LongestThreads; sorted once canonical
    ThreadTotals thread_totals;                                            // of all threads
    std::vector<OpenMpRegion> regions;                                     // sorted by node
    std::vector<PathDurations> durations; // sorted by node; only of nodes of which they are known
    Breakdown breakdown;                  // where the time of all threads went
    std::string application;              // basename of the lowest rank's executable
    Applications applications;            // of all ranks; empty without MPI
    std::string config_text;              // of the lowest rank
    std::string hook_calls_stay; // why hook calls were not removed; of several processes the alphabetically first
                                 // reason; empty: nothing prevented it Sorted by rule and expression; the number of
                                 // uses is that of the process that used the expression most.
    std::vector<vfd::ExpressionUse> expressions;

    std::uint32_t stid(std::uint32_t node) const { return stids.empty() ? node : stids[node]; }
    RankStat exclusive(std::uint32_t node) const {
        return over_ranks(nodes[node].exclusive, node, &PathExtremes::exclusive);
    }
    RankStat inclusive(std::uint32_t node) const {
        return over_ranks(nodes[node].inclusive, node, &PathExtremes::inclusive);
    }
    // Averages over ranks in nanoseconds.
    double average(std::uint64_t sum) const { return rank_count ? static_cast<double>(sum) / rank_count : 0; }
    double average(const RankStat& s) const { return average(s.sum); }

private:
    RankStat over_ranks(std::uint64_t sum, std::uint32_t node, Extremes PathExtremes::*which) const {
        return extremes.empty() ? of_one_rank(sum, first_rank) : RankStat{sum, extremes[node].*which};
    }
};

// All lists in which a Profile names single ranks.
inline constexpr RankList Profile::*ListsOfRanks[] = {&Profile::missing_ranks, &Profile::late_ranks,
                                                      &Profile::exited_ranks,  &Profile::killed_ranks,
                                                      &Profile::whole_ranks,   &Profile::running_ranks};

// The profile of one process's recording, which may still be written. Functions that have not returned count up to the
// image's latest moment. Names that are not in the file are resolved from its modules. Two functions of the same name
// below one caller are one path. Throws vfd::Error.
Profile profile_of(const vfd::Image& image);
// The same of those of its threads that `selected` takes, by their ThreadRecord::index.
Profile profile_of(const vfd::Image& image, const std::function<bool(std::uint32_t)>& selected);
// The profile that a Merged file holds; profile_of() for any other file.
Profile load_profile(const vfd::Image& image);

// Adds `other`, which covers other ranks, to `into`. Returns the indices that the nodes of `other` have in `into`; the
// nodes that `into` had before keep their indices.
std::vector<std::uint32_t> merge(Profile& into, const Profile& other);
// As above, but an empty `into` takes over the contents of `other`, so that there is never a second copy.
std::vector<std::uint32_t> merge(Profile& into, Profile&& other);
// Adds another process of the single rank that `into` covers, e.g. a forked child.
void add_process(Profile& into, const Profile& other);

// Orders the nodes breadth first with children sorted by name, so that a node's index is its stack id (STID) and does
// not depend on the order of merging. numbering.hpp gives STIDs that several profiles have in common.
void canonicalise(Profile& profile);

// The rank that deviates most from the average, and its deviation in percent of the average: negative where the rank is
// below the average, 0 for one rank. The slowest rank is taken where the fastest deviates equally, and also where
// `everywhere` is false, that is where not every rank had something to measure.
struct Imbalance {
    double percent;
    std::int32_t rank;
};
Imbalance imbalance(const Profile& profile, const RankStat& s, bool everywhere = true);

// Adds variances as profiles keep them. The sum saturates, and does not depend on the order.
constexpr std::uint64_t add_variances(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? ~std::uint64_t{0} : a + b;
}

// The uncertainty of the exclusive time of one path, or of several together. It has two sources: the choice of the
// calls that were timed (`variance`), and the cost of the hooks, which depends on the code around them (`unknown`, see
// compensation.hpp). The former is random and independent from path to path, so the variances add up; the latter is one
// systematic error of all paths, so the times themselves add up.
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
    // Half the width of the 95 % confidence interval (two standard deviations), in percent of the time; 0 where the
    // time is 0.
    double percent() const;
};

// By how much the longest thread of a path exceeds the average of its threads, in percent of the average. Threads that
// lack the path do not count.
double thread_imbalance(const PathNode& node);

// The call path of a node, as "f<main<init".
std::string call_path(const Profile& profile, std::uint32_t node);

} // namespace vftr::analysis
