// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/sessions.hpp"

#include "base/errno_preserved.hpp"
#include "mpi/messages.hpp"
#include "mpi/pmpi.hpp"
#include "session/session.hpp"

#include <exception>

#if MPI_VERSION >= 4

namespace vftr::mpi {
namespace {

std::atomic<int> open_sessions{0};
std::atomic<bool> have_own{false};
MPI_Session own;
int rank = 0, size = 1;

// Opens a session and gets the group of all processes of the job.
bool world_group(MPI_Group& world) {
    return VFTR_PMPI(PMPI_Session_init)(handle(MPI_INFO_NULL, "ompi_mpi_info_null"), VFTR_ERRORS_RETURN, &own) ==
               MPI_SUCCESS &&
           VFTR_PMPI(PMPI_Group_from_session_pset)(own, "mpi://WORLD", &world) == MPI_SUCCESS &&
           VFTR_PMPI(PMPI_Group_rank)(world, &rank) == MPI_SUCCESS &&
           VFTR_PMPI(PMPI_Group_size)(world, &size) == MPI_SUCCESS;
}

bool in_world_model() {
    int initialized = 0, finalized = 0;
    VFTR_PMPI(PMPI_Initialized)(&initialized);
    VFTR_PMPI(PMPI_Finalized)(&finalized);
    return initialized && !finalized;
}

void report_results() {
    try {
        analysis::Profile others;
        if (rank == 0 && size > 1)
            others.missing_ranks.add(1, size - 1);
        session::collated(std::move(others), size == 1, {});
    } catch (const std::exception&) { // out of memory: each rank's own file has everything
    }
}

} // namespace

void session_began() {
    if (open_sessions.fetch_add(1) != 0 || !session::running() || calls.joined.exchange(true))
        return;
    const base::ErrnoPreserved preserved;
    if (MPI_Group world; world_group(world)) {
        have_own = true;
        session::set_rank(rank, size);
        if (load_library())
            begin_messages(world, rank, true); // true: each session has a thread level of its own
    }
}

SessionEnds::SessionEnds() {
    if (open_sessions.fetch_sub(1) != 1 || !have_own.exchange(false))
        return;
    const base::ErrnoPreserved preserved;
    end_messages();
    last_ = session::running() && !in_world_model();
    if (last_)
        session::enter_finalize();
    VFTR_PMPI(PMPI_Session_finalize)(&own);
}

SessionEnds::~SessionEnds() {
    if (!last_)
        return;
    const base::ErrnoPreserved preserved;
    report_results();
}

} // namespace vftr::mpi
#endif
