// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): how long the single calls of a call path take, where profile_table.show_distribution asked for
// it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

// The calls of a path that took from 2^octave ticks up to the next power of two, in eight classes of equal width. A
// duration is that of the call with all that it calls and with what hooks cost in it. Only timed calls are known: one
// that stands for others (Estimate) counts as all of these.
struct CallDurations {
    static constexpr unsigned StepBits = 3, Octaves = 64;
    static constexpr std::size_t Steps = std::size_t{1} << StepBits;

    std::uint32_t node;
    std::uint32_t octave;
    std::uint64_t shortest, longest; // ticks, at least 1
    std::uint64_t calls[Steps];

    // `ticks` is at least 1.
    static constexpr std::uint32_t octave_of(std::uint64_t ticks) {
        return static_cast<std::uint32_t>(std::bit_width(ticks)) - 1;
    }
    static constexpr std::size_t step_of(std::uint64_t ticks) {
        const std::uint32_t octave = octave_of(ticks);
        return (octave < StepBits ? ticks << (StepBits - octave) : ticks >> (octave - StepBits)) % Steps;
    }
};
static_assert(sizeof(CallDurations) == 88);

} // namespace vftr::vfd
