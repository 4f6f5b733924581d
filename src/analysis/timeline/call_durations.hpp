// SPDX-License-Identifier: BSD-3-Clause
//
// How many calls take how long, of a whole run.
#pragma once

#include "analysis/profile/duration_classes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace vftr::analysis {

class CallDurations {
public:
    void add(std::uint64_t ns) { ++classes_[DurationClasses::of(ns)]; }

    std::uint64_t count() const { return at_least(0); }
    // How many calls take at least that long. Exact where `ns` is 0 or a threshold.
    std::uint64_t at_least(std::uint64_t ns) const {
        std::uint64_t sum = 0;
        for (std::size_t i = DurationClasses::of(ns); i < DurationClasses::Count; ++i)
            sum += classes_[i];
        return sum;
    }
    // The shortest duration that at most `most` calls reach, in ns; 0 where all calls are at most that many.
    std::uint64_t threshold(std::uint64_t most) const {
        std::uint64_t sum = 0;
        std::size_t first = DurationClasses::Count;
        while (first > 0 && sum + classes_[first - 1] <= most)
            sum += classes_[--first];
        return DurationClasses::begin(first);
    }

private:
    std::array<std::uint64_t, DurationClasses::Count> classes_{};
};

} // namespace vftr::analysis
