// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collate.hpp"

#include "mpi/mpi_clock.hpp"
#include "mpi/mpi_link.hpp"

#include <array>
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
    Collated collated{{}, false, {}};
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

// What the ranks agree on when all have come: the smallest of their numbers each.
struct Terms {
    int left_ms; // of the time that they wait
    int clocks;  // 1: compare them
};

std::optional<Terms> agree(MPI_Comm comm, Terms mine, Clock::time_point deadline) {
    auto terms = std::make_unique<std::array<Terms, 2>>(std::array{mine, mine});
    MPI_Request request;
    if (VFTR_PMPI(PMPI_Iallreduce)(&(*terms)[0], &(*terms)[1], 2, VFTR_INT, VFTR_MIN, comm, &request) == MPI_SUCCESS &&
        wait_for(deadline, request))
        return (*terms)[1];
    (void)terms.release();
    return std::nullopt;
}

int milliseconds_until(Clock::time_point moment) {
    const double left = std::chrono::duration<double, std::milli>(moment - Clock::now()).count();
    return static_cast<int>(std::clamp(left, 0.0, 1e9));
}

} // namespace

Collated collate(MPI_Comm comm, Profile mine, double seconds, bool& free_it, Clock::time_point begin) {
    MpiLink link(comm);
    Reduced reduced = reduce(link, std::move(mine), seconds, begin);
    free_it = reduced.sent && reduced.all_came;
    const bool complete = reduced.sent && reduced.profile.missing_ranks.empty();
    return {std::move(reduced.profile), complete, {}};
}

Collated collate_world(Profile mine, double timeout_s, bool clocks) {
    const MPI_Comm world = VFTR_COMM_WORLD;
    int rank = 0, size = 1;
    VFTR_PMPI(PMPI_Comm_rank)(world, &rank);
    VFTR_PMPI(PMPI_Comm_size)(world, &size);
    if (size == 1)
        return {{}, true, {}};
    const ErrorsReturn quiet(world); // inherited by the duplicate
    const auto deadline = Clock::now() + to_duration(timeout_s);
    std::optional<MPI_Comm> comm = duplicate(world, deadline);
    if (!comm)
        return alone(rank, size);
    const double least = least_for_the_tree(timeout_s);
    const auto terms = agree(*comm, {milliseconds_until(deadline), clocks}, deadline + to_duration(least));
    if (!terms)
        return alone(rank, size);
    // Ranks are through with the clocks at different moments; the steps of the tree begin at one.
    double seconds = std::max(terms->left_ms * 1e-3, least);
    auto begin = Clock::now();
    bool clocks_quiet = true, tree_quiet = false;
    vfd::ClockOffset clock{};
    if (terms->clocks) {
        begin += to_duration(seconds / 4);
        seconds *= 0.75;
        clock = measure_clock(*comm, begin, clocks_quiet);
    }
    Collated collated = collate(*comm, std::move(mine), seconds, tree_quiet, begin);
    collated.clock = clock;
    if (clocks_quiet && tree_quiet)
        VFTR_PMPI(PMPI_Comm_free)(&*comm);
    return collated;
}

} // namespace vftr::mpi
