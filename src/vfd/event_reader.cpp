// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/event_reader.hpp"

#include <algorithm>

namespace vftr::vfd {

EventReader::EventReader(const ThreadView& thread, std::uint32_t file_flags)
    : thread_(thread), all_events_(file_flags & FlagAllEvents) {}

bool EventReader::next_segment() {
    if (segment_ == thread_.events.size())
        return false;
    const Segment& segment = thread_.events[segment_++];
    at_ = reinterpret_cast<const std::uint8_t*>(segment.payload.data());
    end_ = at_ + segment.payload.size();
    ticks_ = segment.header->arg0;
    node_ = 0;
    return true;
}

bool EventReader::next(Event& event) {
    if (!complete_)
        return false;
    while (at_ == end_)
        if (!next_segment())
            return false;
    complete_ = decode(event);
    return complete_;
}

// LEB128; nothing where it is cut off or does not fit 64 bits.
std::optional<std::uint64_t> EventReader::number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
        std::uint8_t byte = *at_++;
        if (shift == 63 && byte > 1)
            return std::nullopt;
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (!(byte & 0x80))
            return value;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> EventReader::node_id() {
    std::optional<std::uint64_t> coded = number();
    if (!coded || *coded > std::uint64_t{NoNode} << 1)
        return std::nullopt;
    std::int64_t step =
        static_cast<std::int64_t>(*coded >> 1) ^ -static_cast<std::int64_t>(*coded & 1);
    std::int64_t id = std::int64_t{node_} + step;
    if (id < 0 || id >= std::int64_t{thread_.node_count})
        return std::nullopt;
    return node_ = static_cast<std::uint32_t>(id);
}

bool EventReader::decode(Event& event) {
    std::optional<std::uint64_t> head = number();
    if (!head || ticks_ + (*head >> 2) < ticks_)
        return false;
    event.ticks = ticks_ += *head >> 2;
    event.tid = 0;
    auto kind = static_cast<EventKind>(*head & 3);
    if (kind == EventKind::Extended)
        return decode_extended(event);
    if (kind == EventKind::Leave) {
        leave(event, entered_.empty() ? NoNode : entered_.back());
        return true;
    }
    std::optional<std::uint32_t> node = node_id();
    if (!node)
        return false;
    if (kind == EventKind::LeaveOf) {
        leave(event, *node);
        return true;
    }
    event.kind = Event::Kind::Enter;
    event.node = *node;
    if (all_events_)
        entered_.push_back(*node);
    return true;
}

bool EventReader::decode_extended(Event& event) {
    if (at_ == end_ || static_cast<ExtendedKind>(*at_++) != ExtendedKind::Thread)
        return false;
    std::optional<std::uint64_t> tid = number();
    if (!tid || *tid > 0xffffffff)
        return false;
    event.kind = Event::Kind::Thread;
    event.node = NoNode;
    event.tid = static_cast<std::uint32_t>(*tid);
    entered_.clear();
    return true;
}

// Regions may be left crosswise: what was entered after `node` may still be open.
void EventReader::leave(Event& event, std::uint32_t node) {
    event.kind = Event::Kind::Leave;
    event.node = node;
    auto mine = std::find(entered_.rbegin(), entered_.rend(), node);
    if (mine != entered_.rend())
        entered_.erase(std::next(mine).base());
}

bool ThreadView::for_each_event(std::uint32_t file_flags,
                                const std::function<void(const Event&)>& visit) const {
    EventReader reader(*this, file_flags);
    Event event;
    while (reader.next(event))
        visit(event);
    return reader.complete();
}

} // namespace vftr::vfd
