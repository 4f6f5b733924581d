// SPDX-License-Identifier: BSD-3-Clause
//
// The duration filter: removes calls that are too short from the timeline (filter.min_duration).
//
// How long a call took is known only when it ends, when its enter is already in the stream. If nothing was written
// since, the stream is rewound to before that enter, as if the call had never been there. So a call stays if anything
// that happened within it stays. A reader that looks at the stream meanwhile sees calls appear and disappear at its
// end, as it does for any call that has not ended.
#pragma once

#include "vfd/format.hpp"
#include "vfd/successor_prediction.hpp"

#include <cstdint>

namespace vftr::record {

struct ThreadState;

// The enters at the end of a thread's stream; only these can be rewound. Enters deeper than there is room for stay in
// the stream.
struct EntersAtEnd {
    struct Enter {
        std::uint8_t *begin, *end; // where its record lies in the stream
        std::uint64_t units;       // ThreadState::event_units before the enter
        // When the call began, as written in the stream. (The frame's `enter` on the shadow stack moves with what is
        // cut out of times.)
        std::uint64_t ticks;
        std::uint32_t depth, path; // position of the call in the call tree
        std::uint32_t node;        // ThreadState::event_node before the enter
        std::uint32_t sequence;    // sequence number of the segment
        vfd::SuccessorPrediction::Before prediction;
    };
    static constexpr std::uint32_t Most = 32;
    Enter enters[Most];
    std::uint32_t count;
};

// Writes the enter of the innermost frame to the stream, if there is room, so that it can be rewound.
void put_enter_for_now(ThreadState& state, std::uint64_t now);
// Called when a call ends. True: it was too short and has been removed from the stream.
bool rewind_enter(ThreadState& state, const vfd::Frame& left, std::uint64_t now);

} // namespace vftr::record
