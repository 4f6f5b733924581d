// SPDX-License-Identifier: BSD-3-Clause
//
// mpi.show_sync_time shows how long a blocking collective call waits until all ranks have come. A barrier before the
// call measures that. It is a region "MPI_<name>_sync" below the call in the call tree, so the call's inclusive time
// contains the wait and its exclusive time does not.
//
// Whether there is a barrier depends only on the option and the pause, and never on the memory that this rank's
// recorder has left, because all ranks must come to the same decision.
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
