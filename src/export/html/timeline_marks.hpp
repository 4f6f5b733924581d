// SPDX-License-Identifier: BSD-3-Clause
//
// What a page's timeline shows beside calls: messages as arrows from a send to its receive, the calls of a collective
// that belong together, and wait states.
//
// A message has its two ends in the streams of two threads, which are visited one after the other, so ends wait here
// for their other one. As viewers see no more than the longest of millions, that many of each kind are kept, which
// bounds memory (some 100 MB); the page knows how many there are in all, and says how many it draws. Of calls that are
// left out for the size of the page no marks come, since messages and collectives are dropped with their calls, and
// wait states here as calls of their length would be.
#pragma once

#include "analysis/timeline/run_timeline.hpp"
#include "analysis/timeline/wait_states.hpp"
#include "export/html/longest.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>

namespace vftr::exports {

class TimelineMarks {
public:
    // `thread` is an index into RunTimeline::threads().
    void add(std::uint32_t thread, const analysis::TimelineMessage& message);
    void add(std::uint32_t thread, const analysis::TimelineCollective& collective);

    // Calls put() with a block for each kind, all little-endian, and each a multiple of 8 bytes: u32 one of the numbers
    // below, u32 how many, then the columns of the marks, by begin. A begin is f64: the ns since that of the mark
    // before, as small numbers compress well.
    //   Messages     f64 begin of the send, f64 ns to the end of the receive (may be negative where clocks differ), f64
    //                bytes, u32 thread of the send, u32 of the receive
    //   Collectives  f64 begin, f64 ns, u32 thread, u32 number of the meeting; those of a meeting follow each other, by
    //                thread, and begins are since that of the call before
    //   Waits        f64 begin, f64 ns, u32 thread, u32 rank that was waited for, u32 state (analysis::WaitState)
    // u32 columns are padded to a multiple of 8 bytes together.
    void put(const analysis::RunTimeline& run, std::span<const analysis::Wait> waits,
             const std::function<void(std::string_view)>& put);

private:
    struct Message {
        std::uint64_t begin, bytes;
        std::int64_t ns;
        std::uint32_t from, to; // threads
    };
    struct Collective {
        std::uint64_t begin, meeting, ns;
        std::uint32_t thread;
    };
    struct End { // of a message
        std::uint64_t moment;
        std::uint32_t thread;
    };
    void put_messages(const std::function<void(std::string_view)>& put);
    void put_collectives(const std::function<void(std::string_view)>& put);

    static constexpr std::size_t Most = std::size_t{1} << 20;
    std::unordered_map<std::uint64_t, End> ends_; // by pair
    Longest<Message> messages_{Most};
    Longest<Collective> collectives_{Most};
};

// What the first number of a block is, where it is not a thread's.
inline constexpr std::uint32_t MessageBlock = 0xffffffff, CollectiveBlock = 0xfffffffe, WaitBlock = 0xfffffffd;

} // namespace vftr::exports
