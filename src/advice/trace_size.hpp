// SPDX-License-Identifier: BSD-3-Clause
//
// How many events a timeline of every call (sampling.sample_interval 0) has, and how many bytes they take, from a
// profile.
//
// A call is two events. Each is coded as the time since the event before, in as many bytes as that needs together with
// what the event is (vfd/format.hpp). A path's own time falls into the gaps before its callees are entered and before
// it is left: so the mean length of its gaps is known. What is not recorded lengthens the gaps of the next recorded
// path around it. How the gaps of one path differ is not known: the estimate takes them for those of events that come
// at random.
#pragma once

#include "advice/observed.hpp"

namespace vftr::advice {

// Nanoseconds of one call, where the recording was made; 0: not measured.
struct CallCosts {
    double timed = 0, excluded = 0;
    double ns_per_tick = 1;
};

struct TraceSize {
    std::uint64_t events = 0;
    double bytes = 0;
};

// excluded: by function.
TraceSize trace_size(const Observed& observed, const std::vector<bool>& excluded, const CallCosts& costs);

} // namespace vftr::advice
