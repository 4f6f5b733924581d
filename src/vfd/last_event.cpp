// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/last_event.hpp"

#include "base/leb128.hpp"
#include "vfd/packed.hpp"

#include <algorithm>

namespace vftr::vfd {

namespace {

// Walks over event records and interprets only what is necessary to find the end of each.
class Walker {
public:
    Walker(const Segment& segment, std::span<const std::byte> bytes)
        : at_(reinterpret_cast<const std::uint8_t*>(bytes.data())), end_(at_ + bytes.size()),
          origin_(segment.header->arg0), unit_bits_(std::min<unsigned>(segment.header->flags, MostUnitBits)),
          units_(origin_ >> unit_bits_) {}

    std::uint64_t last() {
        while (at_ != end_ && record())
            ;
        return std::max(origin_, units_ << unit_bits_);
    }

private:
    bool number(std::uint64_t& value) { return base::get_leb128(at_, end_, value); }
    bool numbers(std::uint64_t count) {
        std::uint64_t value;
        for (; count != 0; --count)
            if (!number(value))
                return false;
        return true;
    }

    bool extended() {
        if (at_ == end_)
            return false;
        switch (static_cast<ExtendedKind>(*at_++)) {
        case ExtendedKind::Thread:
        case ExtendedKind::LeaveOf:
        case ExtendedKind::Enter:
            return numbers(1);
        case ExtendedKind::Message: {
            if (at_ == end_)
                return false;
            const unsigned flags = *at_++;
            return numbers(6u + (flags & MessageElsewhere ? 1 : 0) + (flags & MessageUnseen ? 1 : 0) +
                           (flags & MessageCommunicator ? 1 : 0));
        }
        case ExtendedKind::Collective:
            return numbers(4);
        case ExtendedKind::CollectiveElsewhere:
            return numbers(5);
        case ExtendedKind::Probe:
            if (at_ == end_)
                return false;
            ++at_;
            return numbers(6);
        case ExtendedKind::Entered: {
            std::uint64_t count;
            return number(count) && count <= static_cast<std::uint64_t>(end_ - at_) && numbers(count);
        }
        }
        return false;
    }

    bool record() {
        std::uint64_t head;
        if (!number(head))
            return false;
        auto kind = static_cast<EventKind>(head & 15);
        bool leaves = head % (1 << LeaveBits) == 0;
        bool sound = leaves || (kind == EventKind::Extended ? extended() : kind != EventKind::AnyCallee || numbers(1));
        std::uint64_t units = head >> (leaves ? LeaveBits : KindBits);
        if (sound && units <= (~std::uint64_t{0} >> unit_bits_) - units_)
            units_ += units;
        return sound;
    }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::uint64_t origin_;
    unsigned unit_bits_;
    std::uint64_t units_;
};

} // namespace

std::uint64_t last_event_ticks(const ThreadView& thread) {
    for (auto segment = thread.events.rbegin(); segment != thread.events.rend(); ++segment)
        if (segment->header->kind == SegmentKind::Packed) {
            std::vector<std::byte> unpacked;
            unpack(segment->payload, unpacked);
            return Walker(*segment, unpacked).last();
        } else if (!segment->payload.empty())
            return Walker(*segment, segment->payload).last();
    return 0;
}

} // namespace vftr::vfd
