// SPDX-License-Identifier: BSD-3-Clause
//
// The communicators of a run, as OTF2 wants them: with their members, and a partner as its place among these.
//
// A timeline has ranks of MPI_COMM_WORLD, and communicators as numbers that are equal on all members. Their members
// stand with collective calls only. So the events are read once before they are written. Two communicators may have one
// number, by chance or since MPI_COMM_SELF is another one on each rank: a communicator is a number and its members. One
// of which no collective call was seen has all ranks as its members.
//
// With an intercommunicator the members are those of the other side, so the caller is none of them. It becomes a
// communicator of both sides, one after the other: OTF2 3 has a definition for it, at which the Python module of
// libotf2 3.0 fails.
#pragma once

#include "analysis/timeline/run_timeline.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vftr::exports {

class Otf2Definitions;
class Otf2Regions;

class Otf2Communicators {
public:
    static constexpr std::uint32_t World = 0;

    // Reads the events of all threads that have messages.
    Otf2Communicators(const analysis::RunTimeline& run, const Otf2Regions& regions);

    // Whether there is any MPI in the timelines.
    bool any() const { return ranks_ != 0; }
    // How many ranks MPI_COMM_WORLD has, as far as it is known.
    std::uint32_t ranks() const { return ranks_; }
    // Whether there is a window for one-sided transfers, the number of which is 0. A recording does not tell windows
    // from one another, nor over which communicator they are: one stands for all, over all ranks.
    bool has_window() const { return one_sided_ && any(); }

    struct Place {
        std::uint32_t communicator, rank;
    };
    // How the rank `own` sees the rank `peer` of MPI_COMM_WORLD in the communicator of this number. Nothing where
    // `peer` is a rank of another job.
    std::optional<Place> partner(std::uint32_t own, std::uint32_t peer, std::uint32_t number) const;

    struct Taken {
        std::uint32_t communicator;
        std::int64_t root; // its place in the communicator; -1: none
        bool inter;        // there are two sides
    };
    // Where a collective call is made. Nothing where its group is not known, or has ranks of another job.
    std::optional<Taken> place_of(const analysis::TimelineCollective& collective) const;

    // Writes the groups and communicators. By rank: `locations`.
    void define(Otf2Definitions& definitions, const std::vector<std::uint64_t>& locations) const;

private:
    using Runs = std::vector<vfd::GroupRun>;
    struct Members {
        std::uint32_t number;
        Runs runs;
        bool has_caller = false, lacks_caller = false; // what calls showed
        std::uint32_t communicator = 0;                // that it is, or is one side of
        bool usable = false;                           // without ranks of other jobs
    };
    struct Communicator {
        std::uint32_t number;
        std::uint32_t members = ~std::uint32_t{0}; // index into members_; without any: all ranks
        std::uint32_t others = ~std::uint32_t{0};  // the second side of an intercommunicator
    };
    class Survey;

    void number_communicators();
    std::uint32_t before(const Members& members) const;
    std::vector<std::uint64_t> ranks_of(const Communicator& communicator) const;
    std::string name_of(const Communicator& communicator) const;

    std::uint32_t ranks_ = 0;
    bool one_sided_ = false;
    std::vector<Members> members_;
    std::map<std::pair<const vfd::GroupView*, std::uint32_t>, std::uint32_t> of_group_; // by group and number
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_number_;                     // indices into members_
    std::vector<Communicator> communicators_;                                           // the first is MPI_COMM_WORLD
    std::unordered_map<std::uint32_t, std::uint32_t> without_members_; // by number: index into communicators_
};

} // namespace vftr::exports
