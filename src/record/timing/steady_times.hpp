// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over samples of what pairs of hooks take, without those in which the machine stood still.
//
// The speed of a processor changes by a third from one second to the next, and that is to be in the mean. But of a
// virtual machine, one sample in fifty takes three to ten times as long as the others, for a tenth of a millisecond and
// in all that it measures: its host had something else to do. A short run has a dozen samples, of which one such adds a
// third to what hooks seem to cost. Programs lose that time, too, but seldom and not in their hooks. So a sample that
// takes more than twice the least one is left out.
#pragma once

#include "record/timing/calibrate.hpp"

#include <array>
#include <cstddef>

namespace vftr::record {

// Zero-initialised; a forked child has a copy. Used by one thread at a time.
class SteadyTimes {
public:
    void add(const AllPairTimes& sample) {
        for (std::size_t kind = 0; kind < PairKinds; ++kind)
            add(kind, sample[kind]);
    }
    const AllPairTimes& sums() const { return sums_; }
    void weigh(double factor) {
        for (PairTimes& pairs : sums_)
            pairs *= factor;
    }

private:
    static constexpr double MostTimesLeast = 2;

    void add(std::size_t kind, const PairTimes& sample) {
        const double time = (sample.with + sample.without) / std::max(sample.pairs, 1.0);
        double& least = least_[kind];
        if (least == 0 || time < least) {
            if (MostTimesLeast * time < least) // so none of the earlier ones was steady
                sums_[kind] = {};
            least = time;
        } else if (time > MostTimesLeast * least)
            return;
        sums_[kind] += sample;
    }

    AllPairTimes sums_{};
    std::array<double, PairKinds> least_{}; // ticks of a pair with and without hooks; 0: there is no sample
};

} // namespace vftr::record
