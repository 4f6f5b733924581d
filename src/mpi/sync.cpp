// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/sync.hpp"

#include <cstdio>

namespace vftr::mpi {

std::uint64_t Function::sync_key() {
    std::uint64_t key = sync_key_.load(std::memory_order_relaxed);
    if (key != 0)
        return key;
    char name[128];
    std::snprintf(name, sizeof name, "%s_sync", name_);
    key = record::intern(name, vfd::NodeKind::Region);
    sync_key_.store(key, std::memory_order_relaxed);
    return key;
}

// Does nothing in a call that the MPI library itself has made: its frame is not the one that is noted.
void synchronise(Call& call, Function& function, MPI_Comm comm, std::uint64_t frame) {
    if (comm == library.no_comm || record::recorder.paused.load(std::memory_order_relaxed) ||
        record::recorder.phase.load(std::memory_order_relaxed) != record::Phase::Running || current_call != frame)
        return;
    const std::uint64_t key = function.sync_key();
    const bool entered = key != 0 && record::enter_named(key, vfd::NodeKind::Region, frame);
    library.Barrier(comm);
    if (entered)
        record::leave_named(key);
    call.set_synchronised(base::read_ticks());
}

} // namespace vftr::mpi
