// SPDX-License-Identifier: BSD-3-Clause
//
// The Link of reduction_tree.hpp over an MPI communicator. It uses only non-blocking calls and tests with a deadline.
//
// A rank sends only when the receiver has asked for the data. Data that no rank receives stays with the MPI library,
// and some libraries cannot be finalized then (MPICH 4.0 waits for ever).
#pragma once

#include "mpi/pmpi.hpp"
#include "mpi/reduction_tree.hpp"

namespace vftr::mpi {

// Returns false if the request has not completed by `deadline`, or on an error; the MPI library may still use the
// request's buffer.
bool wait_for(Clock::time_point deadline, MPI_Request& request);

// `comm` returns its errors, and nothing else communicates on it.
class MpiLink : public Link {
public:
    explicit MpiLink(MPI_Comm comm);
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    bool send(int to, std::vector<std::byte> bytes, Clock::time_point deadline) override;
    std::optional<std::vector<std::byte>> receive(int from, Clock::time_point deadline) override;

private:
    enum class Direction { Send, Receive };
    bool transfer(Direction direction, void* data, std::uint64_t bytes, int peer, int tag, Clock::time_point deadline);
    bool asked_by(int receiver, Clock::time_point deadline);
    bool wait_for_message(int peer, int tag, Clock::time_point deadline);

    MPI_Comm comm_;
    int rank_ = 0, size_ = 1;
};

} // namespace vftr::mpi
