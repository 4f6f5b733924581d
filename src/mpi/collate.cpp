// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collate.hpp"

#include "mpi/mpi_link.hpp"

#include <cmath>
#include <memory>
#include <utility>

namespace vftr::mpi {
namespace {

using analysis::Profile;

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

// A communicator of our own, when all ranks have come to make it.
std::optional<MPI_Comm> duplicate(MPI_Comm world, Clock::time_point deadline) {
    // The MPI library writes the handle when the duplication ends, so after a timeout it stays.
    auto comm = std::make_unique<MPI_Comm>();
    MPI_Request request;
    if (VFTR_PMPI(PMPI_Comm_idup)(world, comm.get(), &request) == MPI_SUCCESS && wait_for(deadline, request))
        return *comm;
    (void)comm.release();
    return std::nullopt;
}

// The smallest of all ranks' numbers.
std::optional<int> smallest(MPI_Comm comm, int mine, Clock::time_point deadline) {
    struct Numbers {
        int mine, all;
    };
    auto numbers = std::make_unique<Numbers>(Numbers{mine, mine});
    MPI_Request request;
    if (VFTR_PMPI(PMPI_Iallreduce)(&numbers->mine, &numbers->all, 1, VFTR_INT, VFTR_MIN, comm, &request) == MPI_SUCCESS &&
        wait_for(deadline, request))
        return numbers->all;
    (void)numbers.release();
    return std::nullopt;
}

int milliseconds_until(Clock::time_point moment) {
    const double left = std::chrono::duration<double, std::milli>(moment - Clock::now()).count();
    return static_cast<int>(std::clamp(left, 0.0, 1e9));
}

} // namespace

Collated collate(MPI_Comm comm, Profile mine, double seconds, bool& free_it) {
    MpiLink link(comm);
    Reduced reduced = reduce(link, std::move(mine), seconds);
    free_it = reduced.sent && reduced.all_came;
    const bool complete = reduced.sent && reduced.profile.missing_ranks.empty();
    return {std::move(reduced.profile), complete};
}

Collated collate_world(Profile mine, double timeout_s) {
    const MPI_Comm world = VFTR_COMM_WORLD;
    int rank = 0, size = 1;
    VFTR_PMPI(PMPI_Comm_rank)(world, &rank);
    VFTR_PMPI(PMPI_Comm_size)(world, &size);
    if (size == 1)
        return {{}, true};
    const ErrorsReturn quiet(world); // inherited by the duplicate
    const auto deadline = Clock::now() + to_duration(timeout_s);
    std::optional<MPI_Comm> comm = duplicate(world, deadline);
    if (!comm)
        return alone(rank, size);
    const std::optional<int> left_ms = smallest(*comm, milliseconds_until(deadline), deadline + to_duration(least_for_the_tree(timeout_s)));
    if (!left_ms)
        return alone(rank, size);
    bool free_it = false;
    Collated collated = collate(*comm, std::move(mine), std::max(*left_ms * 1e-3, least_for_the_tree(timeout_s)), free_it);
    if (free_it)
        VFTR_PMPI(PMPI_Comm_free)(&*comm);
    return collated;
}

} // namespace vftr::mpi
