// SPDX-License-Identifier: BSD-3-Clause
#include "export/perfetto/sequence.hpp"

namespace vftr::exports::perfetto {

// The value of the timestamp's field, and the field with the clock.
int Sequence::absolute_time(char* at, std::uint64_t ns) const {
    const char* const from = at;
    at += protozero::add_varint_to_buffer(at, start_.monotonic + ns);
    at += protozero::add_varint_to_buffer(at, static_cast<std::uint32_t>(TracePacket::TimestampClockId) << 3);
    at += protozero::add_varint_to_buffer(at, Boottime);
    return static_cast<int>(at - from);
}

// Every sequence has all clocks: a trace processor converts from one clock to another in one step, and it drops a file
// without real time where it merges several. We do not know CLOCK_BOOTTIME, which differs from CLOCK_MONOTONIC by the
// time that the machine was suspended: compute nodes are not.
void Sequence::snapshot(Builder<ClockSnapshot>& clocks) const {
    const auto clock = [&](ClockId id, std::uint64_t ns) {
        message<Clock>(clocks, ClockSnapshot::Clock, [&](auto& fields) {
            fields.add_uint32(Clock::Id, id);
            fields.add_uint64(Clock::Timestamp, ns);
            if (id == Incremental)
                fields.add_bool(Clock::IsIncremental, true);
        });
    };
    clock(Incremental, start_.monotonic);
    clock(Boottime, start_.monotonic);
    clock(Monotonic, start_.monotonic);
    clock(Realtime, start_.realtime);
}

void Sequence::write() {
    pass_on();
    head_.clear();
    Builder<Trace>(head_).add_bytes(Trace::Packet, text_);
    sink_.text(head_);
}

} // namespace vftr::exports::perfetto
