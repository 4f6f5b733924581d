// SPDX-License-Identifier: BSD-3-Clause
//
// One estimate of time from hooks and CPU samples.
//
// Of each function f of a thread the hooks know R, the time in it with the cost of hooks, exactly, and have a model of
// the part H of it that hooks took (compensation.hpp): m, with an error that may be as large as m itself, because the
// cost of a pair depends on the code around it. Samples know, with the scatter of counting,
//   - the sum of H over all functions: the samples in vftrace;
//   - U, the time of each function itself in user mode: the samples in its code, and those in code without hooks while
//     it was running. What remains, R − H, is at least U: the rest is time in the kernel and of waits.
// So the H are taken that are nearest to the model, to what the samples allow, and to the samples in vftrace:
//     minimise Σ (H − m)² / v + Σ φ(R − U − H) + (Σ H − samples in vftrace)² / S
// with v = (c / 2)², and s and S the variances of the samples. c is the larger one of m and of the cost of the hooks of
// the function's own calls, as the model may be wrong about how much of that falls within the calls. Where R itself is
// an estimate, of calls that were not counted (unseen_calls.hpp), v is at least the variance of that. The model is
// scaled beforehand such that its sum, each m being R − U at most, is that of the samples in vftrace (by three times or
// a third at most): its errors have much in common, and what some functions have no room for is missing in the others.
// Of a long function v is so small that its exact time stays, and what its samples say less is time in the kernel;
// where hooks took most of R, the samples decide.
//
// φ(d) is the cost of a difference d that is time in the kernel or scatter of the function's samples: d² / s as far as
// d is at most p s, above that 2 p d − p² s. (That is the least of e² / s + 2 p (d − e) for a scatter e and a time in
// the kernel of d − e, at least 0.) So it is taken for scatter in both directions, and for time in the kernel where it
// is much larger; p is the larger one of 1 / (2 σ), for the standard deviation σ that the samples in vftrace have by
// their number, and of 1 / (0.3 R). With a larger p too much time in the kernel is given to the hooks, with a smaller
// one scatter is taken for time in the kernel, which has one direction only: both bias the sum of all times. H may be
// negative where R − U is: the time of calls that are only counted is in R by an estimate, and may have been left in
// the caller's.
//
// This is weighted least squares. Each H follows from one multiplier, that of the last term, and grows with it, so the
// multiplier is found by bisection. The variance of H is that of one term of a sum that was measured, w (1 − w / W),
// where w is v, or 1 / (1/v + 1/s) where d is taken for scatter, and W the sum of S and all w.
//
// The samples' variance is that of independent samples (n of them: n periods²); those of a clock with a fixed period
// scatter less.
#pragma once

#include "analysis/recording/thread_times.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vftr::analysis {

// Of one function of a thread; ticks.
struct FunctionTime {
    double raw;         // R
    double hooks;       // the model of H
    double own_hooks;   // the cost of the hooks of its calls, which is in H and in those of its callers
    double sampled;     // U
    double variance;    // of U
    double unknown = 0; // by how much raw − hooks may be wrong, with 95 % confidence
};
// Of a long function, whose time is exact.
bool hooks_do_not_matter(const FunctionTime& function);
struct JoinedTime {
    double exclusive; // R − H, at least 0
    double error;     // half the width of its 95 % confidence interval
};
// What hooks took of all functions together; ticks.
struct AllHooks {
    double time;
    double variance;
    double scatter; // the part of its standard deviation that samples have by their number; 0: there are none
};
// From the number of samples in vftrace among all: each of them is an independent trial, which finds hooks or not. What
// the kernel does for hooks, as for the memory that they touch, no sample sees.
AllHooks hooks_by_samples(std::uint64_t in_hooks, std::uint64_t all, double ticks_of_sample);
std::vector<JoinedTime> join(std::span<const FunctionTime> functions, const AllHooks& all);

// The times of a thread by function, before anything is corrected.
struct FunctionTimes {
    std::vector<FunctionTime> of; // without samples
    std::vector<double> by_model; // exclusive
};
// `function_of` tells the function of each node.
FunctionTimes function_times(const vfd::ThreadView& thread, std::size_t functions,
                             std::span<const std::uint32_t> function_of, const ThreadTimes& times);
// Gives the paths of each function their parts of its joined time.
void set_times(const vfd::ThreadView& thread, std::span<const std::uint32_t> function_of,
               const FunctionTimes& functions, std::span<const JoinedTime> joined, ThreadTimes& times);

// The samples of a thread by function.
struct FunctionSamples {
    static constexpr std::uint64_t Fewest = 50; // with fewer of a thread they say nothing

    std::vector<std::uint64_t> of; // by function
    std::uint64_t in_hooks = 0, all = 0;
    double ticks = 0; // that a sample stands for
    double cpu = 0;   // ticks of the thread's CPU time
};
// Lets each sample stand for more time where they are fewer than the CPU time asks for, and it is not the kernel's by
// long functions, whose time is exact: interrupts, and another machine's turn on a virtual one, delay the samples of
// all. What the kernel does in short functions passes for that.
void share_lost_time(std::span<const FunctionTime> functions, FunctionSamples& samples);
// Corrects the times of a thread, which has the Fewest or more; `functions` are those without samples.
void use_samples(const vfd::ThreadView& thread, const FunctionSamples& samples,
                 std::span<const std::uint32_t> function_of, FunctionTimes functions, ThreadTimes& times);

} // namespace vftr::analysis
