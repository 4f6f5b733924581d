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
std::atomic<bool> leaves_with_self{false}; // our attribute of MPI_COMM_SELF is set

template <class Flag>
bool holds(Flag* function) {
    int flag = 0;
    return function && function(&flag) == MPI_SUCCESS && flag;
}

template <class Function>
Function* linked_or_loaded(Function* linked, const char* symbol) {
    return linked ? linked : reinterpret_cast<Function*>(find_loaded(symbol));
}

bool is_finalized() {
    static auto* const finalized = linked_or_loaded(&PMPI_Finalized, "PMPI_Finalized");
    return !finalized || holds(finalized);
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

// The attribute is not for communicators that the program makes of MPI_COMM_SELF.
int not_copied(MPI_Comm, int, void*, void*, void*, int* flag) {
    *flag = 0;
    return MPI_SUCCESS;
}

int self_is_left(MPI_Comm, int, void*, void*) {
    leave_world();
    return MPI_SUCCESS;
}

bool leave_with_self() {
    static auto* const create = linked_or_loaded(&PMPI_Comm_create_keyval, "PMPI_Comm_create_keyval");
    static auto* const set = linked_or_loaded(&PMPI_Comm_set_attr, "PMPI_Comm_set_attr");
    static auto* const release = linked_or_loaded(&PMPI_Comm_free_keyval, "PMPI_Comm_free_keyval");
    int key = 0;
    if (!create || !set || !release || !VFTR_COMM_SELF ||
        create(not_copied, self_is_left, &key, nullptr) != MPI_SUCCESS)
        return false;
    const bool is_set = set(VFTR_COMM_SELF, key, nullptr) == MPI_SUCCESS;
    release(&key); // it lives as long as the attribute
    return is_set;
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
    if (!holds(VFTR_PMPI(PMPI_Initialized)) || !join_world())
        return;
    leaves_with_self = leave_with_self();
    meet_at_start();
}

// Does nothing if this call is the one that loads the MPI library, or if the library is only a replacement without
// MPI_Initialized.
void join_late() {
    const base::ErrnoPreserved preserved;
    static auto* const initialized = linked_or_loaded(&PMPI_Initialized, "PMPI_Initialized");
    if (holds(initialized) && !is_finalized())
        join_world();
}

LeaveWorld::LeaveWorld() {
    if (!leaves_with_self)
        leave_world();
}

LeaveWorld::~LeaveWorld() {
    const base::ErrnoPreserved preserved;
    if (!leaves_with_self || left)
        return;
    if (!is_finalized())
        leave_world();
    else if (calls.joined)
        session::enter_finalize(); // too late for messages: each rank keeps its own file
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
