// SPDX-License-Identifier: BSD-3-Clause
//
// The events of one thread with each message where it begins.
//
// The stream has a message where it ends. A second reader therefore runs ahead of the other events by the duration of
// the thread's longest message, and keeps the messages that have not begun yet. It keeps at most as many as it is told:
// where more messages than that end while one is under way, that one comes too late.
#pragma once

#include "vfd/event_reader.hpp"
#include "vfd/image.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vftr::analysis {

class EventOrder {
public:
    // What comes besides messages.
    enum class Others {
        Samples, // enter and leave events, except those of `left_out` and leaves of what was never entered
        All,     // all of them
    };

    // `longest` is the duration of the thread's longest message in ticks, from its begin to where it stands in the
    // stream. `most` is the largest number of messages to keep; 0: no messages come. `left_out` is by node, empty:
    // none. View and left_out must outlive it.
    EventOrder(const vfd::ThreadView& view, std::uint32_t file_flags, Others others, const std::vector<bool>& left_out,
               std::uint64_t longest, std::size_t most)
        : reader_(view, file_flags), ahead_(view, file_flags), others_(others), left_out_(left_out), longest_(longest),
          most_(most), all_read_(most == 0) {}

    // Goes to the next event; false at the end.
    bool next() {
        if (!all_read_ || !pending_.empty())
            return next_in_order();
        is_message_ = false;
        return std::exchange(have_other_, false) || next_other();
    }
    bool is_message() const { return is_message_; }
    const vfd::Event& event() const { return is_message_ ? message_ : other_; }
    // Of a message its begin.
    std::uint64_t ticks() const { return is_message_ ? begin_of(message_) : other_.ticks; }

    // False if the stream ends with a record that is truncated or invalid.
    bool complete() const { return reader_.complete(); }

    static std::uint64_t end_of(const vfd::Event& message);
    static std::uint64_t begin_of(const vfd::Event& message);
    static bool is_sample(const vfd::Event& event, const std::vector<bool>& left_out) {
        return event.kind <= vfd::Event::Kind::Leave && event.node != vfd::NoNode &&
               (left_out.empty() || !left_out[event.node]);
    }

private:
    static bool later(const vfd::Event& a, const vfd::Event& b) { return begin_of(a) > begin_of(b); }
    bool next_in_order();
    bool next_other();
    void read_ahead();
    std::uint64_t earliest() const;
    bool may_come_before(std::uint64_t ticks) const;

    vfd::EventReader reader_, ahead_;
    Others others_;
    const std::vector<bool>& left_out_;
    std::uint64_t longest_;
    std::size_t most_;
    bool all_read_;
    bool have_other_ = false, is_message_ = false;
    vfd::Event other_{}, message_{};
    std::uint64_t ahead_ticks_ = 0;
    std::vector<vfd::Event> pending_; // messages that have been read and did not come yet, as a heap by begin
};

} // namespace vftr::analysis
