// SPDX-License-Identifier: BSD-3-Clause
//
// Computes how much later a process ends because its threads were recorded, or had to wait for a core.
//
// Where threads run side by side, the program waits for the one that lost most. Threads that live one after another
// (where each is joined before the next begins) delay it by the sum of their losses. So the time lost is the largest
// sum over a set of threads of which no two live at the same time (weighted interval scheduling: Kleinberg, Tardos,
// Algorithm Design, 6.1). A program whose other threads wait for these has lost at least that much. The computation
// assumes that some thread waits for every thread.
#pragma once

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Times are ticks.
struct LostTime {
    double hooks = 0, mpi = 0;
    double waiting = 0; // for a core, see record/timing/off_cpu.hpp
    double one_time_work = 0;
    double uncertainty = 0; // of `hooks`, no part of the sum
    double sum() const { return hooks + mpi + waiting + one_time_work; }
};

struct ThreadLoss {
    std::uint64_t begin, end; // of the thread's life
    LostTime lost;
};

LostTime lost_time(std::vector<ThreadLoss> threads);

} // namespace vftr::analysis
