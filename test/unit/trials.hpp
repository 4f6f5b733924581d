// SPDX-License-Identifier: BSD-3-Clause
//
// How often a test damages what it reads, each time at random: often enough that what a change breaks is found as a
// rule, and TRIALS times as often where that is set, which is for who changes a reader.
#pragma once

#include <cstdlib>

namespace vftr::test {

inline int trials(int usual) {
    const char* times = std::getenv("TRIALS");
    return times ? usual * std::atoi(times) : usual;
}

} // namespace vftr::test
