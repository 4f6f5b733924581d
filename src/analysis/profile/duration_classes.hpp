// SPDX-License-Identifier: BSD-3-Clause
//
// Classes of durations in nanoseconds: eight for each power of two, so that a duration is known within 12.5 % by its
// class.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace vftr::analysis {

struct DurationClasses {
    static constexpr unsigned StepBits = 3;
    static constexpr std::size_t Steps = std::size_t{1} << StepBits, Count = (64 - StepBits + 1) * Steps;

    // Durations below Steps have a class each.
    static constexpr std::size_t of(std::uint64_t ns) {
        if (ns < Steps)
            return static_cast<std::size_t>(ns);
        const auto shift = static_cast<unsigned>(std::bit_width(ns)) - StepBits - 1;
        return (shift + 1) * Steps + static_cast<std::size_t>((ns >> shift) - Steps);
    }
    // The shortest duration of a class; of the one behind the last the longest duration that there is.
    static constexpr std::uint64_t begin(std::size_t index) {
        if (index < Steps)
            return index;
        if (index >= Count)
            return ~std::uint64_t{0};
        return (std::uint64_t{Steps} + index % Steps) << (index / Steps - 1);
    }
};

} // namespace vftr::analysis
