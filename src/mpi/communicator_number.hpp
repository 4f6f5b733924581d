// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of communicators in the timeline. This file knows nothing of MPI.
//
// Why: MPI keeps the messages of one communicator in order, and an analysis that brings sends and receives together has
// to know which messages belong to one communicator. Handles are of no use for that, because each process has its own,
// and uses it again for another communicator. So a communicator has a number that is equal on all its members. To agree
// on numbers by messages would be intrusive, so each member computes the number from what all members know alike:
//   - A call that all members of a parent communicator make (MPI_Comm_dup, MPI_Comm_split, MPI_Cart_create …): the
//     number of the parent, how many such calls there were on the parent before, and the lowest rank among the members
//     of the child. MPI demands that all members make such calls in the same order, and the children of one call have
//     no member in common.
//   - A call that only the members of the child make (MPI_Comm_create_group, MPI_Intercomm_create …): its tag, the
//     number of the parent where there is one for all members, the members, and how many such calls there were before
//     with all these equal.
//   - A communicator of which the recorder has not seen how it was made (MPI_COMM_SELF, MPI_Comm_get_parent, functions
//     beyond the standard): its members.
// MPI_COMM_WORLD has the number 0, so that nothing is written for it.
//
// A number is a hash of these, in 32 bits, which are five bytes in the timeline. Two of 1000 communicators agree with a
// probability of 0.0001, which matters only where two ranks send each other messages of the same tag and size at the
// same time on both.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace vftr::mpi {

using CommunicatorNumber = std::uint32_t;
inline constexpr CommunicatorNumber WorldNumber = 0;

// What the other arguments of number_of mean, so that two ways of making a communicator do not give the same number.
enum class MadeBy : std::uint64_t { Parent = 1, Members = 2, Unknown = 3 };

constexpr std::uint64_t mixed_with(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
}

// Never 0.
constexpr CommunicatorNumber number_of(MadeBy made_by, std::initializer_list<std::uint64_t> facts) {
    std::uint64_t hash = static_cast<std::uint64_t>(made_by);
    for (const std::uint64_t fact : facts)
        hash = mixed_with(hash, fact);
    const auto number = static_cast<CommunicatorNumber>(hash >> 32);
    return number != WorldNumber ? number : 1;
}

} // namespace vftr::mpi
