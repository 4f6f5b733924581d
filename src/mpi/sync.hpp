// SPDX-License-Identifier: BSD-3-Clause
//
// mpi.show_sync_time: how long a blocking collective call waits until all have come, told by a barrier before it, which
// is a region "MPI_<name>_sync" below the call in the call tree: the call's inclusive time has the wait, its exclusive
// time has not.
//
// Whether there is a barrier depends on nothing but the option and the pause, and never on what this rank's recorder
// has room for: all ranks must come to the same decision.
#pragma once

#include "mpi/language.hpp"
#include "mpi/wrapper.hpp"

namespace vftr::mpi {

void synchronise(Call& call, Function& function, MPI_Comm comm, std::uint64_t frame);

template <class L>
class Sync {
public:
    Sync(Call& call, Function& function, typename L::Comm comm, void* frame) {
        if (VFTR_UNLIKELY(calls.show_sync_time.load(std::memory_order_relaxed)))
            synchronise(call, function, comm, reinterpret_cast<std::uint64_t>(frame));
    }
};

} // namespace vftr::mpi
