// SPDX-License-Identifier: BSD-3-Clause
//
// How much later a process ends because its threads were recorded, or had to wait for a core.
//
// Of threads that run side by side the program waits for the one that lost most. Threads that live one after another,
// as where work is handed from one to the next and each is joined, delay it by the sum. So the time lost is the largest
// sum over threads of which no two live at the same time (weighted interval scheduling: Kleinberg, Tardos, Algorithm
// Design, 6.1). That is the least that a program can have lost whose other threads wait for these; a thread that nobody
// waits for is taken as if somebody did.
#pragma once

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Ticks.
struct LostTime {
    double hooks = 0, mpi = 0;
    double waiting = 0; // for a core, see record/off_cpu.hpp
    double one_time_work = 0;
    double sum() const { return hooks + mpi + waiting + one_time_work; }
};

struct ThreadLoss {
    std::uint64_t begin, end; // of its life
    LostTime lost;
};

LostTime lost_time(std::vector<ThreadLoss> threads);

} // namespace vftr::analysis
