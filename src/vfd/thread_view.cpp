// SPDX-License-Identifier: BSD-3-Clause
//
// A thread's nodes by id, and its event stream, decoded.
#include "vfd/image.hpp"

#include <algorithm>
#include <optional>

namespace vftr::vfd {

const Node& ThreadView::node(std::uint32_t id) const {
    std::uint64_t first = 0;
    for (const auto& chunk : node_chunks) { // a dozen at most: each is as large as all before it
        if (id < first + chunk.size())
            return chunk[id - first];
        first += chunk.size();
    }
    throw Error("call tree", id, "unknown call path");
}

namespace {

// The bytes of one segment.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    bool at_end() const { return bytes_.empty(); }
    std::optional<std::uint8_t> byte() {
        if (bytes_.empty())
            return std::nullopt;
        auto value = static_cast<std::uint8_t>(bytes_.front());
        bytes_ = bytes_.subspan(1);
        return value;
    }
    std::optional<std::uint64_t> leb128() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            auto next = byte();
            if (!next)
                return std::nullopt;
            value |= std::uint64_t{*next & 0x7fu} << shift;
            if (!(*next & 0x80))
                return value;
        }
        return std::nullopt;
    }

private:
    std::span<const std::byte> bytes_;
};

// Decodes a stream; `open_` are the enters of the stream that have not left, innermost last.
class Decoder {
public:
    Decoder(std::uint32_t node_count, bool all_events, const std::function<void(const Event&)>& visit)
        : node_count_(node_count), all_events_(all_events), visit_(visit) {}

    // false: the stream is cut off or damaged here.
    bool segment(const Segment& segment) {
        Reader reader(segment.payload);
        ticks_ = segment.header->arg0;
        node_ = 0;
        while (!reader.at_end())
            if (!record(reader))
                return false;
        return true;
    }

private:
    bool record(Reader& reader) {
        auto first = reader.leb128();
        if (!first)
            return false;
        ticks_ += *first >> 2;
        switch (static_cast<EventKind>(*first & 3)) {
        case EventKind::Leave:
            leave_innermost();
            return true;
        case EventKind::Enter:
            return step(reader) && enter();
        case EventKind::LeaveOf:
            return step(reader) && leave_of();
        case EventKind::Extended:
            return extended(reader);
        }
        return false;
    }
    bool step(Reader& reader) {
        auto coded = reader.leb128();
        if (!coded)
            return false;
        node_ += static_cast<std::uint32_t>((*coded >> 1) ^ (~(*coded & 1) + 1));
        return node_ < node_count_;
    }
    bool enter() {
        if (all_events_)
            open_.push_back(node_);
        visit_({Event::Kind::Enter, ticks_, node_, 0});
        return true;
    }
    void leave_innermost() {
        std::uint32_t node = NoNode;
        if (!open_.empty()) {
            node = open_.back();
            open_.pop_back();
        }
        visit_({Event::Kind::Leave, ticks_, node, 0});
    }
    // Regions may be left crosswise.
    bool leave_of() {
        auto found = std::find(open_.rbegin(), open_.rend(), node_);
        if (found != open_.rend())
            open_.erase(std::next(found).base());
        visit_({Event::Kind::Leave, ticks_, node_, 0});
        return true;
    }
    bool extended(Reader& reader) {
        auto kind = reader.byte();
        auto value = reader.leb128();
        if (!kind || !value || static_cast<ExtendedKind>(*kind) != ExtendedKind::Thread)
            return false;
        open_.clear();
        visit_({Event::Kind::Thread, ticks_, NoNode, static_cast<std::uint32_t>(*value)});
        return true;
    }

    std::uint32_t node_count_;
    bool all_events_;
    const std::function<void(const Event&)>& visit_;
    std::vector<std::uint32_t> open_;
    std::uint64_t ticks_ = 0;
    std::uint32_t node_ = 0;
};

} // namespace

void ThreadView::for_each_event(std::uint32_t file_flags, const std::function<void(const Event&)>& visit) const {
    Decoder decoder(node_count, file_flags & FlagAllEvents, visit);
    for (const Segment& segment : events)
        if (!decoder.segment(segment))
            return;
}

} // namespace vftr::vfd
