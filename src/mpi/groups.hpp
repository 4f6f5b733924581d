// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the processes behind a communicator or window. The MPI library is asked at the handle's first use, and the
// answer is kept by handle until the handle is freed. MPI_COMM_WORLD needs no lookup.
//
// Members of other jobs (spawned, connected) have no rank in this job's MPI_COMM_WORLD. Without a message only their
// index in the remote group of the first communicator that connects the jobs can be known; for spawned processes this
// is their rank in their own MPI_COMM_WORLD. They keep that number in every communicator that is derived from that one.
#pragma once

#include "mpi/communicator_number.hpp"
#include "mpi/library.hpp"
#include "mpi/patterns.hpp"
#include "mpi/peers.hpp"

#include <cstdint>
#include <span>

namespace vftr::mpi {

struct Communicator {
    const Group* local;
    const Group* remote; // null if this is no intercommunicator
    CommunicatorNumber number;
    const Group* peers() const { return remote ? remote : local; }
    explicit operator bool() const { return local; }
};

// Neighbours are kept in a table of their own, for neighbourhood collectives only. They are ranks in the communicator
// as MPI gives them, MPI_PROC_NULL included.
struct Neighbours {
    std::span<const int> sources, destinations;
};

// To be called once, before all other functions here. The members of all groups are numbered by their ranks in
// `world`, which this function takes over.
void begin_groups(MPI_Group world, std::uint32_t own_rank);
void end_groups();

// Empty if the MPI library gives no answer.
Communicator communicator(MPI_Comm comm);
// Without asking the MPI library: nullptr where the communicator has not been used before, or threads share MPI. Valid
// until another function here is called.
const Communicator* known_communicator(MPI_Comm comm);
const Group* window(MPI_Win win); // nullptr if the MPI library gives no answer
Neighbours neighbours_of(MPI_Comm comm);

// What the program's calls tell of communicators, after the call. A child that is MPI_COMM_NULL has been made for
// others. The numbers follow from these calls (communicator_number.hpp), so each has to be told where numbers are
// wanted.
//
// All members of `parent` have made a call that makes communicators of some or all of them.
void learn_child(MPI_Comm parent, MPI_Comm child);
// As learn_child, of the same members. MPI need not have finished making the child.
void learn_copy(MPI_Comm parent, MPI_Comm child);
// The members of `child` alone have made the call; `parent` may be MPI_Comm{} where there is none for all of them.
void learn_child_of_members(MPI_Comm parent, int tag, MPI_Comm child);
void learn_foreign(MPI_Comm comm);
void forget_communicator(std::uint64_t comm);
void forget_window(std::uint64_t win);

// Messages that were matched (MPI_Mprobe) and wait for their receive.
void keep_message(MPI_Message message, const Communicator& comm);
Communicator take_message(std::uint64_t message);

} // namespace vftr::mpi
