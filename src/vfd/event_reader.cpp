// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/event_reader.hpp"

#include "base/leb128.hpp"
#include "vfd/packed.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vftr::vfd {

EventReader::EventReader(const ThreadView& thread, std::uint32_t file_flags)
    : thread_(thread), all_events_(file_flags & FlagAllEvents) {}

// A part of its callers, as each event has one or two numbers.
inline __attribute__((always_inline)) bool EventReader::read(std::uint64_t& value) {
    return base::get_leb128(at_, end_, value);
}

bool EventReader::next_segment() {
    if (segment_ == thread_.events.size())
        return false;
    const Segment& segment = thread_.events[segment_++];
    std::span<const std::byte> bytes = segment.payload;
    if (segment.header->kind == SegmentKind::Packed) {
        complete_ = unpack(bytes, unpacked_);
        bytes = unpacked_;
    }
    at_ = reinterpret_cast<const std::uint8_t*>(bytes.data());
    end_ = at_ + bytes.size();
    if (at_ == end_)
        return true; // a segment of a running recording that has just begun
    origin_ = segment.header->arg0;
    unit_bits_ = std::min<unsigned>(segment.header->flags, MostUnitBits);
    units_ = origin_ >> unit_bits_;
    node_ = 0;
    prediction_.clear();
    read_entered(segment_ > 1 && segment.header->sequence == next_sequence_);
    next_sequence_ = segment.header->sequence + 1;
    return true;
}

// Reads which nodes are entered at the beginning of the segment, if it begins with an Entered event. `known`: the
// reader knows them already from the preceding segment.
void EventReader::read_entered(bool known) {
    constexpr std::uint8_t Head = static_cast<std::uint8_t>(EventKind::Extended),
                           Kind = static_cast<std::uint8_t>(ExtendedKind::Entered);
    if (end_ - at_ < 2 || at_[0] != Head || at_[1] != Kind)
        return;
    at_ += 2;
    std::uint64_t count;
    std::vector<std::uint32_t> entered;
    complete_ = read(count) && count <= static_cast<std::uint64_t>(end_ - at_);
    for (std::uint32_t node = 0; complete_ && count != 0; --count) {
        complete_ = read(node) && node < thread_.node_count;
        entered.push_back(node);
    }
    if (!complete_ || known || !all_events_)
        return;
    entered_ = std::move(entered);
    initial_enters_left_ = segment_ == 1 ? entered_.size() : 0;
}

bool EventReader::next_of_segments(Event& event) {
    while (complete_ && initial_enters_left_ == 0 && at_ == end_)
        if (!next_segment())
            return false;
    if (!complete_)
        return false;
    if (initial_enters_left_ != 0) {
        event.kind = Event::Kind::Enter;
        event.node = entered_[entered_.size() - initial_enters_left_--];
        event.ticks = origin_;
        event.tid = 0;
        return true;
    }
    complete_ = decode(event);
    return complete_;
}

bool EventReader::read_node(std::uint32_t& node) {
    std::uint64_t coded;
    if (!read(coded) || coded > std::uint64_t{NoNode} << 1)
        return false;
    const std::int64_t step = static_cast<std::int64_t>(coded >> 1) ^ -static_cast<std::int64_t>(coded & 1);
    const std::int64_t id = std::int64_t{node_} + step;
    if (id < 0 || id >= std::int64_t{thread_.node_count})
        return false;
    node = node_ = static_cast<std::uint32_t>(id);
    return true;
}

bool EventReader::advance(std::uint64_t units) {
    std::uint64_t most = ~std::uint64_t{0} >> unit_bits_;
    if (units > most - units_)
        return false;
    units_ += units;
    return true;
}

bool EventReader::decode(Event& event) {
    std::uint64_t head;
    if (!read(head))
        return false;
    const bool leaves = head % (1 << LeaveBits) == 0;
    if (!advance(head >> (leaves ? LeaveBits : KindBits)))
        return false;
    event.ticks = std::max(origin_, units_ << unit_bits_); // the segment may begin within a unit
    event.tid = 0;
    if (leaves) {
        leave(event, entered_.empty() ? NoNode : entered_.back());
        return true;
    }
    auto kind = static_cast<EventKind>(head & 15);
    if (kind == EventKind::Extended)
        return decode_extended(event);
    if (kind == EventKind::PredictedCallee)
        return decode_predicted_callee(event);
    if (kind != EventKind::AnyCallee)
        return decode_callee(event, near_callee_of_kind(head & 15));
    std::uint64_t ordinal;
    return read(ordinal) && decode_callee(event, ordinal);
}

void EventReader::enter(Event& event, std::uint32_t node) {
    event.kind = Event::Kind::Enter;
    event.node = node;
    prediction_.enter(node);
    if (all_events_)
        entered_.push_back(node);
}

// Sorts the children of all nodes by parent and id. The children of p are children_[first_child_[p]] up to, but not
// including, children_[first_child_[p + 1]].
void EventReader::index_children() {
    first_child_.assign(thread_.node_count + 1, 0);
    auto for_each_child = [&](auto visit) {
        std::uint32_t id = 0;
        for (std::span<const Node> chunk : thread_.node_chunks)
            for (const Node& node : chunk) {
                if (id != 0 && id < thread_.node_count)
                    visit(node.parent, id);
                ++id;
            }
    };
    for_each_child([&](std::uint32_t parent, std::uint32_t) { ++first_child_[parent + 1]; });
    for (std::size_t i = 1; i < first_child_.size(); ++i)
        first_child_[i] += first_child_[i - 1];
    children_.resize(first_child_.back());
    std::vector<std::uint32_t> next = first_child_;
    for_each_child([&](std::uint32_t parent, std::uint32_t id) { children_[next[parent]++] = id; });
}

bool EventReader::decode_callee(Event& event, std::uint64_t ordinal) {
    if (first_child_.empty())
        index_children();
    std::uint32_t caller = entered_.empty() ? 0 : entered_.back();
    if (!all_events_ || caller >= thread_.node_count || // a thread whose call paths were lost has not even a root
        ordinal > first_child_[caller + 1] - first_child_[caller])
        return false;
    enter(event, ordinal == 0 ? caller : children_[first_child_[caller] + ordinal - 1]);
    return true;
}

bool EventReader::decode_predicted_callee(Event& event) {
    const std::uint32_t node = prediction_.expected();
    if (!all_events_ || node == 0)
        return false;
    enter(event, node);
    return true;
}

bool EventReader::decode_extended(Event& event) {
    if (at_ == end_)
        return false;
    auto kind = static_cast<ExtendedKind>(*at_++);
    if (kind == ExtendedKind::LeaveOf || kind == ExtendedKind::Enter) {
        std::uint32_t node;
        if (!read_node(node))
            return false;
        kind == ExtendedKind::Enter ? enter(event, node) : leave(event, node);
        return true;
    }
    if (kind == ExtendedKind::Message)
        return decode_message(event);
    if (kind == ExtendedKind::Collective || kind == ExtendedKind::CollectiveElsewhere)
        return decode_collective(event, kind == ExtendedKind::CollectiveElsewhere);
    if (kind == ExtendedKind::Probe)
        return decode_probe(event);
    if (kind != ExtendedKind::Thread)
        return false;
    if (!read(event.tid))
        return false;
    event.kind = Event::Kind::Thread;
    event.node = NoNode;
    entered_.clear();
    return true;
}

bool EventReader::read(std::uint32_t& value) {
    std::uint64_t wide;
    if (!read(wide) || wide > 0xffffffff)
        return false;
    value = static_cast<std::uint32_t>(wide);
    return true;
}

bool EventReader::read_tag(std::int32_t& tag) {
    std::uint32_t coded;
    if (!read(coded))
        return false;
    tag = static_cast<std::int32_t>(coded >> 1 ^ (coded & 1 ? ~0u : 0u));
    return true;
}

bool EventReader::decode_message(Event& event) {
    if (at_ == end_)
        return false;
    unsigned flags = *at_++;
    if ((flags & 3) > static_cast<unsigned>(Direction::Get) || (flags >> 2 & 3) > static_cast<unsigned>(Span::Others) ||
        flags >= 2 * MessageCommunicator)
        return false;
    event.kind = Event::Kind::Message;
    event.direction = static_cast<Direction>(flags & 3);
    event.span = static_cast<Span>(flags >> 2 & 3);
    const std::uint32_t own = thread_.record ? thread_.record->index : 0;
    event.thread = own;
    event.late = 0;
    event.communicator = 0;
    if ((flags & MessageUnseen && !read(event.late)) || !read(event.duration) ||
        (flags & MessageElsewhere && !read(event.thread)) || !read(event.node) || !read(event.target) ||
        !read(event.bytes) || !read(event.type) || !read_tag(event.tag) ||
        (flags & MessageCommunicator && !read(event.communicator)))
        return false;
    return event.thread != own || event.node < thread_.node_count;
}

bool EventReader::decode_collective(Event& event, bool elsewhere) {
    event.kind = Event::Kind::Collective;
    event.late = 0;
    event.communicator = 0;
    event.thread = thread_.record ? thread_.record->index : 0;
    std::uint32_t root;
    if ((elsewhere && !read(event.communicator)) || !read(event.duration) || !read(event.node) || !read(event.target) ||
        !read(root))
        return false;
    event.root = std::int64_t{root} - 1;
    return event.node < thread_.node_count;
}

bool EventReader::decode_probe(Event& event) {
    if (at_ == end_ || *at_ > 1)
        return false;
    event.kind = Event::Kind::Probe;
    event.takes = *at_++ == 1;
    event.late = 0;
    event.thread = thread_.record ? thread_.record->index : 0;
    return read(event.duration) && read(event.node) && read(event.target) && read(event.bytes) && read_tag(event.tag) &&
           read(event.communicator) && event.node < thread_.node_count;
}

// Regions may be left in another order than they were entered: what was entered after `node` may still be open.
void EventReader::leave(Event& event, std::uint32_t node) {
    event.kind = Event::Kind::Leave;
    event.node = node;
    prediction_.leave();
    if (!entered_.empty() && entered_.back() == node) {
        entered_.pop_back();
        return;
    }
    auto mine = std::find(entered_.rbegin(), entered_.rend(), node);
    if (mine != entered_.rend())
        entered_.erase(std::next(mine).base());
}

bool ThreadView::for_each_event(std::uint32_t file_flags, const std::function<void(const Event&)>& visit) const {
    EventReader reader(*this, file_flags);
    Event event;
    while (reader.next(event))
        visit(event);
    return reader.complete();
}

} // namespace vftr::vfd
