// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/recording/thread_times.hpp"

#include <cstdint>
#include <vector>

namespace vftr::test {

// ThreadTimes for tests, which compare one kind of time of all nodes.
struct TimesByColumn {
    std::vector<std::uint64_t> exclusive, inclusive, raw_exclusive, raw_inclusive;
    std::vector<double> overhead, unknown;
    std::uint64_t one_time_work, life;
    std::vector<std::uint64_t> count_only;
    std::vector<double> variance;

    TimesByColumn(analysis::ThreadTimes times)
        : unknown(std::move(times.unknown)), one_time_work(times.one_time_work), life(times.life),
          count_only(std::move(times.count_only)), variance(std::move(times.variance)) {
        for (const analysis::NodeTimes& of : times.of) {
            exclusive.push_back(of.exclusive);
            inclusive.push_back(of.inclusive);
            raw_exclusive.push_back(of.raw_exclusive);
            raw_inclusive.push_back(of.raw_inclusive);
            overhead.push_back(of.overhead);
        }
    }
};

} // namespace vftr::test
