// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): where the CPU time of a thread went, by samples that the kernel took.
#pragma once

#include <cstdint>

namespace vftr::vfd {

// How often one instruction was the next to run when a sample was taken. A sample stands for FileHeader::sample_ns of
// the thread's CPU time in user mode.
struct CpuSample {
    // Runtime address of the instruction. Of libvftrace.so only its begin is told, in place of all its instructions,
    // and likewise of any object once the thread has very many records; once the recording has ended, the begin of a
    // function also stands for instructions of it that were inlined into others. 0: not known, as the kernel had no
    // room left.
    std::uint64_t address;
    // The call path that was running, as far as the recorder knows it: the innermost one of the last timed event, so
    // calls that are only counted are in their caller's.
    std::uint32_t node;
    std::uint16_t module; // id of the ModuleRecord of the object with the address; 0: in none
    std::uint16_t reserved;
    std::uint64_t count;
};
static_assert(sizeof(CpuSample) == 24);

} // namespace vftr::vfd
