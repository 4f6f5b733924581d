// SPDX-License-Identifier: BSD-3-Clause
//
// The packets of one sequence of a Perfetto trace: those of a thread, with their own clock and default track, so that
// an event is 10 to 15 bytes.
//
// There may be hundreds of millions of events, so that what an event is (everything but its time) is encoded once, as
// the `rest` of a packet. The time is the distance to that of the event before (a clock that is incremental); what is
// not in the order of time has an absolute time.
#pragma once

#include "export/perfetto/fields.hpp"
#include "export/sink.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace vftr::exports::perfetto {

// The moment 0 of all times, on the clocks of a trace.
struct Start {
    std::uint64_t monotonic, realtime;
};

class Sequence {
public:
    static constexpr std::size_t MostRest = 27; // bytes

    // Writes its first packet. `intern` fills in what is interned from the beginning, `more` what else is a default.
    template <class Intern, class More>
    Sequence(Sink& sink, const Start& start, std::uint32_t id, std::uint64_t track, Intern intern, More more)
        : sink_(sink), start_(start), id_(id) {
        begin(track, intern, more);
    }
    template <class Intern>
    Sequence(Sink& sink, const Start& start, std::uint32_t id, std::uint64_t track, Intern intern)
        : Sequence(sink, start, id, track, intern, [](auto&) {}) {}
    Sequence(const Sequence&) = delete;
    ~Sequence() { pass_on(); }

    // A packet of any content; `fill` gets its builder.
    template <class Fill>
    void packet(Fill fill) {
        text_.clear();
        {
            Builder<TracePacket> packet(text_);
            fill(packet);
            packet.add_uint32(TracePacket::SequenceId, id_);
            packet.add_uint32(TracePacket::SequenceFlags, NeedsState);
        }
        write();
    }
    template <class Fill>
    void track(Fill fill) {
        packet([&](auto& packet) { message<TrackDescriptor>(packet, TracePacket::TrackDescriptor, fill); });
    }
    // An event at some time, in any order.
    template <class Fill>
    void event(std::uint64_t ns, EventType type, Fill fill) {
        packet([&](auto& packet) {
            packet.add_uint64(TracePacket::Timestamp, start_.monotonic + ns);
            packet.add_uint32(TracePacket::TimestampClockId, Boottime);
            message<TrackEvent>(packet, TracePacket::TrackEvent, [&](auto& event) {
                event.add_enum(TrackEvent::Type, type);
                fill(event);
            });
        });
    }

    // What event() takes, at most MostRest bytes. Valid until the next call of anything.
    template <class Fill>
    std::string_view rest(EventType type, Fill fill) {
        text_.clear();
        Builder<TracePacket> packet(text_);
        message<TrackEvent>(packet, TracePacket::TrackEvent, [&](auto& event) {
            event.add_enum(TrackEvent::Type, type);
            fill(event);
        });
        packet.add_uint32(TracePacket::SequenceId, id_);
        packet.add_uint32(TracePacket::SequenceFlags, NeedsState);
        return text_;
    }
    // All MostRest bytes at `rest` are read, and the first `size` of them are what was made.
    void event(std::uint64_t ns, const char* rest, std::size_t size) {
        constexpr std::size_t Most = 2 + 1 + 10 + 3 + MostRest;
        if (used_ > sizeof events_ - Most)
            pass_on();
        char* const packet = events_ + used_;
        char* at = packet + 2;
        *at++ = static_cast<char>(static_cast<std::uint32_t>(TracePacket::Timestamp) << 3);
        if (ns >= now_) {
            at += protozero::add_varint_to_buffer(at, ns - now_);
            now_ = ns;
        } else
            at += absolute_time(at, ns);
        std::memcpy(at, rest, MostRest);
        at += size;
        packet[0] = static_cast<char>(static_cast<std::uint32_t>(Trace::Packet) << 3 | 2);
        packet[1] = static_cast<char>(at - packet - 2); // fewer than 128
        used_ += static_cast<std::size_t>(at - packet);
    }

private:
    template <class Intern, class More>
    void begin(std::uint64_t track, Intern intern, More more) {
        text_.clear();
        {
            Builder<TracePacket> packet(text_);
            packet.add_uint32(TracePacket::SequenceId, id_);
            packet.add_uint32(TracePacket::SequenceFlags, StateCleared | NeedsState);
            packet.add_bool(TracePacket::FirstPacketOnSequence, true);
            message<PacketDefaults>(packet, TracePacket::Defaults, [&](auto& defaults) {
                defaults.add_uint32(PacketDefaults::TimestampClockId, Incremental);
                message<TrackEventDefaults>(defaults, PacketDefaults::TrackEvent, [&](auto& event) {
                    event.add_uint64(TrackEventDefaults::TrackUuid, track);
                });
                more(defaults);
            });
            message<InternedData>(packet, TracePacket::InternedData, intern);
            message<ClockSnapshot>(packet, TracePacket::ClockSnapshot, [&](auto& clocks) { snapshot(clocks); });
        }
        write();
    }
    int absolute_time(char* at, std::uint64_t ns) const;
    void snapshot(Builder<ClockSnapshot>& clocks) const;
    void write();
    void pass_on() {
        sink_.text({events_, used_});
        used_ = 0;
    }

    Sink& sink_;
    const Start& start_;
    std::uint32_t id_;
    std::uint64_t now_ = 0;
    std::string text_, head_;
    std::size_t used_ = 0;
    char events_[16384]; // complete packets that the sink has not got yet
};

} // namespace vftr::exports::perfetto
