// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/world.hpp"

#include "mpi/collate.hpp"
#include "mpi/pmpi.hpp"
#include "session/session.hpp"

#include <atomic>
#include <cerrno>
#include <exception>
#include <utility>

namespace vftr::mpi {
namespace {

class ErrnoKept {
public:
    ErrnoKept() : saved_(errno) {}
    ~ErrnoKept() { errno = saved_; }
    ErrnoKept(const ErrnoKept&) = delete;
    ErrnoKept& operator=(const ErrnoKept&) = delete;

private:
    int saved_;
};

enum Level { LevelPause = 0, LevelResume = 1, LevelFlush = 2 };

std::atomic<bool> joined{false}, left{false};

} // namespace

JoinWorld::~JoinWorld() {
    const ErrnoKept kept;
    int initialized = 0;
    if (!session::running() || VFTR_PMPI(PMPI_Initialized)(&initialized) != MPI_SUCCESS ||
        !initialized || !VFTR_COMM_WORLD || joined.exchange(true))
        return;
    int rank = 0, size = 1;
    VFTR_PMPI(PMPI_Comm_rank)(VFTR_COMM_WORLD, &rank);
    VFTR_PMPI(PMPI_Comm_size)(VFTR_COMM_WORLD, &size);
    session::set_rank(rank, size);
}

void leave_world() {
    const ErrnoKept kept;
    if (!joined || !session::running() || left.exchange(true))
        return;
    session::enter_finalize();
    try {
        Collated collated = collate_world(session::snapshot_profile(),
                                          session::configuration().mpi_collate_timeout);
        session::collated(std::move(collated.others), collated.complete);
    } catch (const std::exception&) { // out of memory: every rank's own file still has everything
    }
}

Control::Control(int level) : level_(level) {
    const ErrnoKept kept;
    if (level_ == LevelResume)
        session::resume();
}

Control::~Control() {
    const ErrnoKept kept;
    if (level_ == LevelPause)
        session::pause();
    else if (level_ == LevelFlush)
        session::flush();
}

} // namespace vftr::mpi
