// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes are behind a communicator or window. Asked of the MPI library at its first use, kept by handle until
// it is freed. MPI_COMM_WORLD needs no lookup.
//
// Members of other jobs (spawned, connected) have no rank in our MPI_COMM_WORLD. What can be known of them without a
// message is their place in the remote group of the first communicator that connects us; for spawned processes this is
// their own MPI_COMM_WORLD. They keep that number in every communicator that is made of that one.
#pragma once

#include "mpi/library.hpp"
#include "mpi/patterns.hpp"
#include "mpi/peers.hpp"

#include <cstdint>
#include <span>

namespace vftr::mpi {

struct Communicator {
    const Group* local;
    const Group* remote; // null: no intercommunicator
    const Group* peers() const { return remote ? remote : local; }
    explicit operator bool() const { return local; }
};

// Kept apart, for neighbourhood collectives only. As MPI gives them: ranks in the communicator, MPI_PROC_NULL included.
struct Neighbours {
    std::span<const int> sources, destinations;
};

// To be called once before all others; world: the group whose ranks are the numbers of all others. Takes it over.
void begin_groups(MPI_Group world, std::uint32_t own_rank);
void end_groups();

// Empty where the MPI library does not tell.
Communicator communicator(MPI_Comm comm);
const Group* window(MPI_Win win); // nullptr likewise
Neighbours neighbours_of(MPI_Comm comm);

void learn_foreign(MPI_Comm comm);
void forget_communicator(std::uint64_t comm);
void forget_window(std::uint64_t win);

// Messages that were matched (MPI_Mprobe) and wait to be received.
void keep_message(MPI_Message message, const Communicator& comm);
const Group* take_message(std::uint64_t message);

} // namespace vftr::mpi
