// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/mpi_link.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace vftr::mpi {
namespace {

enum Tag { TagSize = 1, TagBytes = 2, TagAsk = 4 };          // 3: mpi_clock.cpp
constexpr std::uint64_t ChunkBytes = std::uint64_t{1} << 26; // an MPI count is an int

} // namespace

bool wait_for(Clock::time_point deadline, MPI_Request& request) {
    const auto test = VFTR_PMPI(PMPI_Test);
    int done = 0;
    bool failed = false;
    return wait_for(deadline,
                    [&] {
                        failed = test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
                        return failed || done;
                    }) &&
           !failed;
}

MpiLink::MpiLink(MPI_Comm comm) : comm_(comm) {
    VFTR_PMPI(PMPI_Comm_rank)(comm, &rank_);
    VFTR_PMPI(PMPI_Comm_size)(comm, &size_);
}

// A message that is not taken in time stays with the MPI library, so its buffer is not freed either.
bool MpiLink::send(int to, std::vector<std::byte> bytes, Clock::time_point deadline) {
    struct Letter {
        std::uint64_t size;
        std::vector<std::byte> bytes;
    };
    if (!asked_by(to, deadline))
        return false;
    auto letter = std::make_unique<Letter>(Letter{bytes.size(), std::move(bytes)});
    bool sent = transfer(Direction::Send, &letter->size, sizeof letter->size, to, TagSize, deadline);
    for (std::uint64_t done = 0; sent && done < letter->size; done += ChunkBytes)
        sent = transfer(Direction::Send, letter->bytes.data() + done, std::min(ChunkBytes, letter->size - done), to,
                        TagBytes, deadline);
    if (!sent)
        (void)letter.release();
    return sent;
}

std::optional<std::vector<std::byte>> MpiLink::receive(int from, Clock::time_point deadline) {
    static char question = 0;
    if (!transfer(Direction::Send, &question, 1, from, TagAsk, deadline))
        return std::nullopt;
    auto size = std::make_unique<std::uint64_t>(0);
    if (!transfer(Direction::Receive, size.get(), sizeof *size, from, TagSize, deadline)) {
        (void)size.release();
        return std::nullopt;
    }
    auto bytes = std::make_unique<std::vector<std::byte>>(*size);
    for (std::uint64_t done = 0; done < *size; done += ChunkBytes) {
        if (!transfer(Direction::Receive, bytes->data() + done, std::min(ChunkBytes, *size - done), from, TagBytes,
                      deadline)) {
            (void)bytes.release();
            return std::nullopt;
        }
    }
    return std::move(*bytes);
}

bool MpiLink::asked_by(int receiver, Clock::time_point deadline) {
    static char question;
    return transfer(Direction::Receive, &question, 1, receiver, TagAsk, deadline);
}

// Transfers one message. Returns false if that was not done by `deadline`; the MPI library may still use `data`.
bool MpiLink::transfer(Direction direction, void* data, std::uint64_t bytes, int peer, int tag,
                       Clock::time_point deadline) {
    MPI_Request request;
    const int count = static_cast<int>(bytes);
    if (direction == Direction::Send) {
        if (VFTR_PMPI(PMPI_Isend)(data, count, VFTR_BYTE, peer, tag, comm_, &request) != MPI_SUCCESS)
            return false;
    } else {
        // The receive is posted only when the message is there, so none is left to be cancelled if the message never
        // comes.
        if (!wait_for_message(peer, tag, deadline) ||
            VFTR_PMPI(PMPI_Irecv)(data, count, VFTR_BYTE, peer, tag, comm_, &request) != MPI_SUCCESS)
            return false;
    }
    if (wait_for(deadline, request))
        return true;
    VFTR_PMPI(PMPI_Cancel)(&request);
    VFTR_PMPI(PMPI_Request_free)(&request);
    return false;
}

bool MpiLink::wait_for_message(int peer, int tag, Clock::time_point deadline) {
    const auto probe = VFTR_PMPI(PMPI_Iprobe);
    int there = 0;
    bool failed = false;
    return wait_for(deadline,
                    [&] {
                        failed = probe(peer, tag, comm_, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS;
                        return failed || there;
                    }) &&
           !failed;
}

} // namespace vftr::mpi
