// SPDX-License-Identifier: BSD-3-Clause
//
// What the CPU samples of one thread say of its times: which function each belongs to (sample_owners.hpp), how much of
// the functions' times hooks took (sampled_times.hpp, and where the samples are too few, bounded_times.hpp), and which
// part of them was in code without hooks.
//
// Code without hooks is all that the program calls and hooks do not see: libraries, and functions that were compiled
// without hooks or are excluded. By hooks alone its time is that of the function that called it. A sample in it tells
// its own function, so this gets a path below the one that was running ("[libm.so.6] exp") and the time that its
// samples stand for, at most that of the caller. It has no calls, as nobody counts them, and no callees but those of
// its caller: what stands between them, as sort() between its caller and the function that it compares with, is not
// known. MPI functions, OpenMP constructs and pauses keep theirs, since such code is what they consist of.
//
// The variance of a time by samples is that of their number (CpuSample is a count of independent events).
#pragma once

#include "analysis/recording/name_table.hpp"
#include "analysis/recording/thread_times.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Of one function without hooks below one node; a part of the node's exclusive time.
struct UnhookedTime {
    std::uint32_t node, name;
    std::uint64_t ticks;
    double variance; // of `ticks`, and so of what the node keeps
};

// Whether the thread has so many samples that they tell its times.
bool has_enough_samples(const vfd::ThreadView& thread);

// Corrects the times of the thread. The result is in the order of the nodes; it is empty where the samples are too few
// to tell anything.
std::vector<UnhookedTime> use_samples_of(const vfd::Image& image, const vfd::ThreadView& thread, NameTable& names,
                                         ThreadTimes& times);

} // namespace vftr::analysis
