// SPDX-License-Identifier: BSD-3-Clause
//
// Decodes a thread's event stream, one event at a time: a stream may be larger than memory.
//
// A recording that ended with a crash may end in half a record. The reader stops before it and says
// so; it does not throw, because all that came before is true.
#pragma once

#include "vfd/image.hpp"
#include "vfd/successor_prediction.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace vftr::vfd {

class EventReader {
public:
    // `thread` must outlive the reader. file_flags: FileHeader::flags. Throws std::runtime_error where the stream is
    // packed and nothing here can unpack it.
    EventReader(const ThreadView& thread, std::uint32_t file_flags);

    // False at the end of the stream.
    bool next(Event& event);
    // Whether the end was that of the stream, and not a record that is cut off or makes no sense.
    bool complete() const { return complete_; }

private:
    bool next_segment();
    void read_entered(bool known);
    std::optional<std::uint64_t> number();
    std::optional<std::uint32_t> node_id();
    bool decode(Event& event);
    bool decode_extended(Event& event);
    bool decode_callee(Event& event, std::uint64_t ordinal);
    bool decode_predicted_callee(Event& event);
    bool advance(std::uint64_t units);
    bool decode_message(Event& event);
    bool decode_collective(Event& event);
    // A number that fits 32 bits.
    bool read(std::uint32_t& value);
    bool read(std::uint64_t& value);
    void index_children();
    void enter(Event& event, std::uint32_t node);
    void leave(Event& event, std::uint32_t node);

    const ThreadView& thread_;
    bool all_events_;
    bool complete_ = true;
    std::size_t segment_ = 0;
    std::vector<std::byte> unpacked_; // the segment that is read, where it was packed
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint64_t origin_ = 0, units_ = 0; // of the segment in ticks, of the latest event
    unsigned unit_bits_ = 0;
    std::uint32_t node_ = 0; // that of the latest event that had one
    SuccessorPrediction prediction_;
    std::uint32_t next_sequence_ = 0;
    std::size_t to_tell_ = 0;            // of `entered_`, the innermost ones that were entered before the stream
    std::vector<std::uint32_t> entered_; // and not left; with FlagAllEvents only
    std::vector<std::uint32_t> first_child_, children_; // see index_children(); empty until needed
};

} // namespace vftr::vfd
