// SPDX-License-Identifier: BSD-3-Clause
//
// Calls that are too short for the timeline (filter.min_duration).
//
// How long a call takes is known when it ends; its enter is in the stream by then. Where nothing has been written
// since, the stream is set back to before that enter, and the call has never been there. So a call stays if anything
// that stays happened within it. A reader that looks at the stream meanwhile sees calls come and go at its end, as it
// does of any call that has not ended.
#pragma once

#include "vfd/format.hpp"
#include "vfd/successor_prediction.hpp"

#include <cstdint>

namespace vftr::record {

struct ThreadState;

// The enters at the end of a thread's stream, of which only these may be rewound. Deeper ones than there is room for
// stay in the stream.
struct EntersAtEnd {
    struct Enter {
        std::uint8_t *begin, *end; // of its record
        std::uint64_t units;       // ThreadState::event_units before it
        std::uint64_t ticks; // when the call began, in the stream. (On the shadow stack that moves with what is cut out
                             // of times.)
        std::uint32_t depth, path; // of the call: its place there
        std::uint32_t node;        // ThreadState::event_node before it
        std::uint32_t sequence;    // of the segment
        vfd::SuccessorPrediction::Before prediction;
    };
    static constexpr std::uint32_t Most = 32;
    Enter enters[Most];
    std::uint32_t count;
};

// The enter of the innermost frame is written to the stream, where there is room for it.
void put_enter_for_now(ThreadState& state, std::uint64_t now);
// A call ends. true: it was too short, and is not in the stream any more.
bool rewind_enter(ThreadState& state, const vfd::Frame& left, std::uint64_t now);

} // namespace vftr::record
