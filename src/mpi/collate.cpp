// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collate.hpp"

#include "mpi/tree.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <sched.h>
#include <thread>

namespace vftr::mpi {
namespace {

using analysis::Profile;

enum Tag { TagSize = 1, TagBytes = 2 };
constexpr std::uint64_t ChunkBytes = std::uint64_t{1} << 26; // an MPI count is an int

// Asks again and again until it holds or the deadline has passed: eagerly at first, for partners
// who are already there, then every millisecond.
template <typename Condition>
bool wait_for(Clock::time_point deadline, Condition condition) {
    constexpr auto longest = std::chrono::microseconds(1000);
    auto pause = std::chrono::microseconds(0);
    for (unsigned asked = 0; !condition(); ++asked) {
        if (Clock::now() >= deadline)
            return false;
        if (asked < 1000) {
            sched_yield();
            continue;
        }
        pause =
            std::min<std::chrono::microseconds>(pause * 2 + std::chrono::microseconds(10), longest);
        std::this_thread::sleep_for(pause);
    }
    return true;
}

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

class MpiLink : public Link {
public:
    explicit MpiLink(MPI_Comm comm) : comm_(comm) {
        VFTR_PMPI(PMPI_Comm_rank)(comm, &rank_);
        VFTR_PMPI(PMPI_Comm_size)(comm, &size_);
    }
    int rank() const override { return rank_; }
    int size() const override { return size_; }

    bool send(int to, std::span<const std::byte> bytes, Clock::time_point deadline) override {
        // A message that is not taken in time stays with the MPI library, and so must its buffer.
        auto size = std::make_unique<std::uint64_t>(bytes.size());
        auto copy = std::make_unique_for_overwrite<std::byte[]>(std::min(ChunkBytes, bytes.size()));
        if (!transfer(Direction::Send, size.get(), sizeof *size, to, TagSize, deadline)) {
            (void)size.release();
            return false;
        }
        for (std::uint64_t done = 0; done < bytes.size(); done += ChunkBytes) {
            const auto chunk = bytes.subspan(done, std::min(ChunkBytes, bytes.size() - done));
            std::memcpy(copy.get(), chunk.data(), chunk.size());
            if (!transfer(Direction::Send, copy.get(), chunk.size(), to, TagBytes, deadline)) {
                (void)copy.release();
                return false;
            }
        }
        return true;
    }

    std::optional<std::vector<std::byte>> receive(int from, Clock::time_point deadline) override {
        auto size = std::make_unique<std::uint64_t>(0);
        if (!transfer(Direction::Receive, size.get(), sizeof *size, from, TagSize, deadline)) {
            (void)size.release();
            return std::nullopt;
        }
        auto bytes = std::make_unique<std::vector<std::byte>>(*size);
        for (std::uint64_t done = 0; done < *size; done += ChunkBytes) {
            if (!transfer(Direction::Receive, bytes->data() + done,
                          std::min(ChunkBytes, *size - done), from, TagBytes, deadline)) {
                (void)bytes.release();
                return std::nullopt;
            }
        }
        return std::move(*bytes);
    }

private:
    enum class Direction { Send, Receive };

    // One message. False: not through by `deadline`; the MPI library may still use `data`.
    bool transfer(Direction direction, void* data, std::uint64_t bytes, int peer, int tag,
                  Clock::time_point deadline) {
        MPI_Request request;
        const int count = static_cast<int>(bytes);
        if (direction == Direction::Send) {
            if (VFTR_PMPI(PMPI_Isend)(data, count, VFTR_BYTE, peer, tag, comm_, &request) !=
                MPI_SUCCESS)
                return false;
        } else {
            // Posted only when the message is there: nothing to take back where it never comes.
            if (!wait_for_message(peer, tag, deadline) ||
                VFTR_PMPI(PMPI_Irecv)(data, count, VFTR_BYTE, peer, tag, comm_, &request) !=
                    MPI_SUCCESS)
                return false;
        }
        if (wait_for(deadline, request))
            return true;
        VFTR_PMPI(PMPI_Cancel)(&request);
        VFTR_PMPI(PMPI_Request_free)(&request);
        return false;
    }

    bool wait_for_message(int peer, int tag, Clock::time_point deadline) {
        const auto probe = VFTR_PMPI(PMPI_Iprobe);
        int there = 0;
        bool failed = false;
        return wait_for(deadline,
                        [&] {
                            failed =
                                probe(peer, tag, comm_, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS;
                            return failed || there;
                        }) &&
               !failed;
    }

    MPI_Comm comm_;
    int rank_ = 0, size_ = 1;
};

// Errors of a communicator are returned, not fatal, while this lives.
class ErrorsReturn {
public:
    explicit ErrorsReturn(MPI_Comm comm) : comm_(comm) {
        VFTR_PMPI(PMPI_Comm_get_errhandler)(comm_, &handler_);
        VFTR_PMPI(PMPI_Comm_set_errhandler)(comm_, VFTR_ERRORS_RETURN);
    }
    ~ErrorsReturn() {
        VFTR_PMPI(PMPI_Comm_set_errhandler)(comm_, handler_);
        VFTR_PMPI(PMPI_Errhandler_free)(&handler_);
    }
    ErrorsReturn(const ErrorsReturn&) = delete;
    ErrorsReturn& operator=(const ErrorsReturn&) = delete;

private:
    MPI_Comm comm_;
    MPI_Errhandler handler_;
};

// Nobody came.
Collated alone(int rank, int size) {
    Collated collated{{}, false};
    if (rank == 0)
        collated.others.missing_ranks.add(1, size - 1);
    return collated;
}

} // namespace

Collated collate(MPI_Comm comm, const Profile& mine, double timeout_s, bool& free_it) {
    MpiLink link(comm);
    Reduced reduced = reduce(link, mine, timeout_s);
    free_it = reduced.sent && reduced.all_came;
    const bool complete = reduced.sent && reduced.profile.missing_ranks.empty();
    return {std::move(reduced.profile), complete};
}

Collated collate_world(const Profile& mine, double timeout_s) {
    const MPI_Comm world = VFTR_COMM_WORLD;
    int rank = 0, size = 1;
    VFTR_PMPI(PMPI_Comm_rank)(world, &rank);
    VFTR_PMPI(PMPI_Comm_size)(world, &size);
    if (size == 1)
        return {{}, true};
    const ErrorsReturn quiet(world); // inherited by the duplicate
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(timeout_s));
    // The MPI library writes the handle when the duplication ends, so after a timeout it stays.
    auto comm = std::make_unique<MPI_Comm>();
    MPI_Request request;
    if (VFTR_PMPI(PMPI_Comm_idup)(world, comm.get(), &request) != MPI_SUCCESS ||
        !wait_for(deadline, request)) {
        (void)comm.release();
        return alone(rank, size);
    }
    bool free_it = false;
    Collated collated = collate(*comm, mine, timeout_s, free_it);
    if (free_it)
        VFTR_PMPI(PMPI_Comm_free)(comm.get());
    return collated;
}

} // namespace vftr::mpi
