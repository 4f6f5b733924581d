// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/world.hpp"

#include "base/errno_preserved.hpp"
#include "mpi/collate.hpp"
#include "mpi/messages.hpp"
#include "mpi/pmpi.hpp"
#include "record/timing/one_time_work_scope.hpp"
#include "session/session.hpp"

#include <atomic>
#include <exception>
#include <utility>

namespace vftr::mpi {
namespace {

enum Level { LevelPause = 0, LevelResume = 1, LevelFlush = 2 };

std::atomic<bool> left{false};

template <class Flag>
bool holds(Flag* function) {
    int flag = 0;
    return function && function(&flag) == MPI_SUCCESS && flag;
}

template <class Function>
Function* linked_or_loaded(Function* linked, const char* symbol) {
    return linked ? linked : reinterpret_cast<Function*>(find_loaded(symbol));
}

bool join_world() {
    if (!session::running() || !VFTR_COMM_WORLD || calls.joined.exchange(true))
        return false;
    const record::OneTimeWork work;
    int rank = 0, size = 1;
    VFTR_PMPI(PMPI_Comm_rank)(VFTR_COMM_WORLD, &rank);
    VFTR_PMPI(PMPI_Comm_size)(VFTR_COMM_WORLD, &size);
    session::set_rank(rank, size);
    MPI_Group world;
    int level = MPI_THREAD_SINGLE;
    if (load_library() && library.Comm_group(VFTR_COMM_WORLD, &world) == MPI_SUCCESS &&
        library.Query_thread(&level) == MPI_SUCCESS)
        begin_messages(world, rank, level == MPI_THREAD_MULTIPLE);
    return true;
}

// What the ranks do together at the start, if the user has said that all of them are recorded.
void meet_at_start() {
    const config::Config& config = session::configuration();
    if (config.sampling_active && config.mpi_clock_offsets == "both")
        session::set_clock_offset(0, compare_clocks(config.mpi_collate_timeout));
}

} // namespace

JoinWorld::JoinWorld() {
    const base::ErrnoPreserved preserved;
    const record::OneTimeWork work;
    refuse_other_mpi();
}

JoinWorld::~JoinWorld() {
    const base::ErrnoPreserved preserved;
    if (holds(VFTR_PMPI(PMPI_Initialized)) && join_world())
        meet_at_start();
}

// Does nothing if this call is the one that loads the MPI library, or if the library is only a replacement without
// MPI_Initialized.
void join_late() {
    const base::ErrnoPreserved preserved;
    static auto* const initialized = linked_or_loaded(&PMPI_Initialized, "PMPI_Initialized");
    static auto* const finalized = linked_or_loaded(&PMPI_Finalized, "PMPI_Finalized");
    if (holds(initialized) && finalized && !holds(finalized))
        join_world();
}

void leave_world() {
    const base::ErrnoPreserved preserved;
    if (!calls.joined || !session::running() || left.exchange(true))
        return;
    end_messages();
    session::enter_finalize();
    try {
        const config::Config& config = session::configuration();
        Collated collated =
            collate_world(session::snapshot_profile(),
                          {config.mpi_collate_timeout, config.sampling_active && config.mpi_clock_offsets != "none",
                           session::writes_rank_log()});
        session::set_clock_offset(1, collated.clock);
        session::collated(std::move(collated.others), collated.complete, std::move(collated.numbering));
    } catch (const std::exception&) { // out of memory: each rank's own file has everything
    }
}

Control::Control(int level)
    : level_(level), messages_only_(session::running() && session::configuration().mpi_pcontrol == "messages") {
    const base::ErrnoPreserved preserved;
    if (messages_only_ && (level_ == LevelPause || level_ == LevelResume))
        calls.messages_stopped.store(level_ == LevelPause, std::memory_order_relaxed);
    else if (level_ == LevelResume)
        session::resume();
}

Control::~Control() {
    const base::ErrnoPreserved preserved;
    if (level_ == LevelPause && !messages_only_)
        session::pause();
    else if (level_ == LevelFlush)
        session::flush();
}

} // namespace vftr::mpi
