// SPDX-License-Identifier: BSD-3-Clause
//
// Decodes the event stream of a thread, one event at a time, because a stream may be larger than memory.
//
// A recording that ended with a crash may end within a record. The reader then stops before it and reports that by
// complete(). It does not throw, because everything before is valid.
#pragma once

#include "vfd/image.hpp"
#include "vfd/successor_prediction.hpp"

#include <cstdint>
#include <vector>

namespace vftr::vfd {

class EventReader {
public:
    // `thread` must outlive the reader. file_flags are FileHeader::flags. Throws std::runtime_error if the stream is
    // packed and cannot be unpacked here.
    EventReader(const ThreadView& thread, std::uint32_t file_flags);

    // False at the end of the stream.
    bool next(Event& event) {
        if (!complete_ || initial_enters_left_ != 0 || at_ == end_)
            return next_of_segments(event);
        return complete_ = decode(event);
    }
    // False if the reader stopped at a record that is truncated or invalid.
    bool complete() const { return complete_; }

private:
    bool next_of_segments(Event& event);
    bool next_segment();
    void read_entered(bool known);
    bool decode(Event& event);
    bool decode_extended(Event& event);
    bool decode_callee(Event& event, std::uint64_t ordinal);
    bool decode_predicted_callee(Event& event);
    bool advance(std::uint64_t units);
    bool decode_message(Event& event);
    bool decode_collective(Event& event, bool elsewhere);
    bool decode_probe(Event& event);
    bool read(std::uint64_t& value);
    // Reads a number that must fit 32 bits.
    bool read(std::uint32_t& value);
    // Reads a node as its distance from node_.
    bool read_node(std::uint32_t& node);
    bool read_tag(std::int32_t& tag);
    void index_children();
    void enter(Event& event, std::uint32_t node);
    void leave(Event& event, std::uint32_t node);

    const ThreadView& thread_;
    bool all_events_;
    bool complete_ = true;
    std::size_t segment_ = 0;
    std::vector<std::byte> unpacked_; // the current segment, if it was packed
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint64_t origin_ = 0, units_ = 0; // ticks at which the segment begins; units of the latest event
    unsigned unit_bits_ = 0;
    std::uint32_t node_ = 0; // node of the latest event that carried one
    SuccessorPrediction prediction_;
    std::uint32_t next_sequence_ = 0;
    // Number of nodes, the innermost ones of `entered_`, that were entered before the stream begins and are still to be
    // returned as Enter events.
    std::size_t initial_enters_left_ = 0;
    // Nodes that are entered and not left, outermost first; maintained with FlagAllEvents only.
    std::vector<std::uint32_t> entered_;
    std::vector<std::uint32_t> first_child_, children_; // see index_children(); empty until needed
};

} // namespace vftr::vfd
