// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collate.hpp"

#include "mpi/mpi_clock.hpp"
#include "mpi/mpi_link.hpp"
#include "mpi/star.hpp"

#include <array>
#include <memory>
#include <utility>

namespace vftr::mpi {
namespace {

using analysis::Profile;

// Makes errors of a communicator be returned instead of fatal, while the object lives.
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

// The result if the other ranks did not come.
Collated alone(int rank, int size) {
    Collated collated{};
    if (rank == 0)
        collated.others.missing_ranks.add(1, size - 1);
    return collated;
}

// Makes a communicator of all ranks; all must call this, and it waits for them. It is not a duplicate, because that
// would copy the program's attributes and so call the program's functions.
MPI_Comm private_communicator(MPI_Comm world) {
    MPI_Group ranks;
    MPI_Comm comm;
    VFTR_PMPI(PMPI_Comm_group)(world, &ranks);
    VFTR_PMPI(PMPI_Comm_create)(world, ranks, &comm);
    VFTR_PMPI(PMPI_Group_free)(&ranks);
    VFTR_PMPI(PMPI_Comm_set_errhandler)(comm, VFTR_ERRORS_RETURN);
    return comm;
}

bool all_have_come(MPI_Comm world, Clock::time_point deadline) {
    MPI_Request request;
    return VFTR_PMPI(PMPI_Ibarrier)(world, &request) == MPI_SUCCESS && wait_for(deadline, request);
}

// What the ranks agree on when all have come: the minimum over all ranks of each number.
struct Terms {
    int left_ms; // of this rank's waiting time; GaveUp: the rank has stopped waiting
    int clocks;  // 1: this rank asks for the clocks to be compared
};
constexpr int GaveUp = -1;

// Returns nullopt if a rank has given up or does not answer until `deadline`.
std::optional<Terms> agree(MPI_Comm comm, Terms mine, Clock::time_point deadline) {
    auto terms = std::make_unique<std::array<Terms, 2>>(std::array{mine, mine});
    MPI_Request request;
    if (VFTR_PMPI(PMPI_Iallreduce)(&(*terms)[0], &(*terms)[1], 2, VFTR_INT, VFTR_MIN, comm, &request) == MPI_SUCCESS &&
        wait_for(deadline, request))
        return (*terms)[1].left_ms == GaveUp ? std::nullopt : std::optional((*terms)[1]);
    (void)terms.release();
    return std::nullopt;
}

// A rank that arrives after this rank has given up finds the barrier (or the first two rounds of star.hpp) complete and
// asks for the terms. This function leaves the answer, and the MPI library delivers it from within PMPI_Finalize.
// Without it the late rank would wait in vain.
void report_late_ranks(MPI_Comm comm) { (void)agree(comm, {GaveUp, 0}, Clock::now()); }

int milliseconds_until(Clock::time_point moment) {
    const double left = std::chrono::duration<double, std::milli>(moment - Clock::now()).count();
    return static_cast<int>(std::clamp(left, 0.0, 1e9));
}

} // namespace

Collated collate(MPI_Comm comm, Profile mine, double seconds, bool& free_it, Clock::time_point begin, bool stids) {
    MpiLink link(comm);
    analysis::Numbering paths;
    if (stids && link.rank() != 0)
        paths = analysis::numbering_of(mine);
    Reduced reduced = reduce(link, link.rank() == 0 ? Profile() : std::move(mine), seconds, begin, stids);
    free_it = reduced.sent && reduced.all_came;
    Collated collated{};
    collated.complete = reduced.sent && reduced.profile.missing_ranks.empty();
    if (reduced.wants_stids && reduced.sent) {
        Stids of_others;
        if (link.rank() == 0) {
            collated.numbering = number_job(std::move(mine), reduced.profile);
            of_others = stids_in(collated.numbering, reduced.profile);
        }
        const Stids own = hand_back(link, reduced, std::move(of_others), begin + to_duration(1.25 * seconds), free_it);
        if (link.rank() != 0)
            collated.numbering = numbered(std::move(paths), own);
    }
    collated.others = std::move(reduced.profile);
    return collated;
}

Collated collate_world(Profile mine, const Wishes& wishes) {
    const MPI_Comm world = VFTR_COMM_WORLD;
    int rank = 0, size = 1;
    VFTR_PMPI(PMPI_Comm_rank)(world, &rank);
    VFTR_PMPI(PMPI_Comm_size)(world, &size);
    if (size == 1) {
        Collated collated{};
        collated.complete = true;
        return collated;
    }
    const auto deadline = Clock::now() + to_duration(wishes.timeout_s);
    const ErrorsReturn quiet(world);
    if (size <= Star::MostRanks) {
        Star star(world, rank, size, mine, wishes, deadline);
        const Star::Way way = star.meet();
        if (way == Star::Way::Together)
            return star.collate(std::move(mine));
        if (way == Star::Way::TimedOut)
            report_late_ranks(world);
        if (way != Star::Way::Tree)
            return alone(rank, size);
    } else if (!all_have_come(world, deadline)) {
        report_late_ranks(world);
        return alone(rank, size);
    }
    const double least = least_for_the_tree(wishes.timeout_s);
    const auto terms = agree(world, {milliseconds_until(deadline), wishes.clocks},
                             std::max(deadline, Clock::now()) + to_duration(least));
    if (!terms)
        return alone(rank, size);
    MPI_Comm comm = private_communicator(world);
    // Ranks finish comparing the clocks at different moments; the steps of the tree have to begin at one moment.
    double seconds = std::max(terms->left_ms * 1e-3, least);
    auto begin = Clock::now();
    bool clocks_quiet = true, tree_quiet = false;
    vfd::ClockOffset clock{};
    if (terms->clocks) {
        begin += to_duration(seconds / 4);
        seconds *= 0.75;
        clock = measure_clock(comm, begin, clocks_quiet);
    }
    Collated collated = collate(comm, std::move(mine), seconds, tree_quiet, begin, wishes.stids);
    collated.clock = clock;
    if (clocks_quiet && tree_quiet)
        VFTR_PMPI(PMPI_Comm_free)(&comm);
    return collated;
}

vfd::ClockOffset compare_clocks(double timeout_s) {
    const ErrorsReturn quiet(VFTR_COMM_WORLD);
    MPI_Comm comm = private_communicator(VFTR_COMM_WORLD);
    bool free_it = false;
    const vfd::ClockOffset offset = measure_clock(comm, Clock::now() + to_duration(timeout_s), free_it);
    if (free_it)
        VFTR_PMPI(PMPI_Comm_free)(&comm);
    return offset;
}

} // namespace vftr::mpi
