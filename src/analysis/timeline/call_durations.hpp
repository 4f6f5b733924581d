// SPDX-License-Identifier: BSD-3-Clause
//
// How many calls take how long: a histogram with eight classes for each power of two, so that a threshold is known
// within 12.5 % whatever the durations.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace vftr::analysis {

class CallDurations {
public:
    void add(std::uint64_t ns) { ++classes_[class_of(ns)]; }

    std::uint64_t count() const { return at_least(0); }
    // How many calls take at least that long. Exact where `ns` is 0 or a threshold.
    std::uint64_t at_least(std::uint64_t ns) const {
        std::uint64_t sum = 0;
        for (std::size_t i = class_of(ns); i < Classes; ++i)
            sum += classes_[i];
        return sum;
    }
    // The shortest duration that at most `most` calls reach, in ns; 0 where all calls are at most that many.
    std::uint64_t threshold(std::uint64_t most) const {
        std::uint64_t sum = 0;
        std::size_t first = Classes;
        while (first > 0 && sum + classes_[first - 1] <= most)
            sum += classes_[--first];
        return begin_of(first);
    }

private:
    static constexpr unsigned StepBits = 3;
    static constexpr std::size_t Steps = std::size_t{1} << StepBits, Classes = (64 - StepBits + 1) * Steps;

    // Durations below Steps have a class each.
    static constexpr std::size_t class_of(std::uint64_t ns) {
        if (ns < Steps)
            return static_cast<std::size_t>(ns);
        const auto shift = static_cast<unsigned>(std::bit_width(ns)) - StepBits - 1;
        return (shift + 1) * Steps + static_cast<std::size_t>((ns >> shift) - Steps);
    }
    static constexpr std::uint64_t begin_of(std::size_t index) {
        if (index < Steps)
            return index;
        if (index >= Classes)
            return ~std::uint64_t{0};
        return (std::uint64_t{Steps} + index % Steps) << (index / Steps - 1);
    }

    std::array<std::uint64_t, Classes> classes_{};
};

} // namespace vftr::analysis
