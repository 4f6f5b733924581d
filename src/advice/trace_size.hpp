// SPDX-License-Identifier: BSD-3-Clause
//
// Estimates from a profile how many events a timeline of every call (sampling.sample_interval 0) has, and how many
// bytes they take.
//
// A call has two events. Each is coded as the time since the event before, together with the kind of the event, in as
// many bytes as that needs (vfd/format.hpp). A path's own time consists of the gaps before its callees are entered and
// before it is left, so the mean length of its gaps is known. Time in functions that are not recorded lengthens the
// gaps of the innermost recorded caller. The distribution of the gaps of one path is not known: the estimate assumes
// that events come at random.
#pragma once

#include "advice/observed.hpp"

namespace vftr::advice {

// The cost of one call in nanoseconds on the machine of the recording; 0: not measured.
struct CallCosts {
    double timed = 0, excluded = 0;
    double ns_per_tick = 1;
};

struct TraceSize {
    std::uint64_t events = 0;
    double bytes = 0;
};

// `excluded` tells by function whether it is excluded.
TraceSize trace_size(const Observed& observed, const std::vector<bool>& excluded, const CallCosts& costs);

} // namespace vftr::advice
