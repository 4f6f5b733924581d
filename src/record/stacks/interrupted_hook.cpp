// SPDX-License-Identifier: BSD-3-Clause
#include "record/stacks/interrupted_hook.hpp"

#include "base/memory.hpp"
#include "base/race_detectors.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace vftr::record {

namespace {

// A mapping of the parent, and how many bytes at its beginning are copied; the rest is zeros.
struct Range {
    std::byte* place;
    std::size_t bytes, copied;
};

struct Copy {
    std::size_t bytes; // size of this struct with all that follows
    ThreadState* state;
    ThreadState contents;
    std::byte* data; // contents of the ranges, one after the other
    std::size_t count;
    Range ranges[];
};

__thread Copy* copy __attribute__((tls_model("initial-exec"))) = nullptr;

bool is_under_way(const ThreadState& state) { return state.guard > GuardShared; }

// A hook uses what its thread owns, and modules; other work behind a held guard may use everything that threads share.
bool may_be_touched(const ThreadState& state, const vfd::SegmentHeader& segment) {
    if (segment.kind <= vfd::SegmentKind::Events) // the kinds up to this one have an owner
        return segment.thread == state.record->index;
    if (segment.kind == vfd::SegmentKind::Packed)
        return false;
    return segment.kind == vfd::SegmentKind::Modules || is_under_way(state);
}

// How many bytes of a payload the hook may need.
std::size_t content_of(const ThreadState& state, const vfd::SegmentHeader& segment) {
    switch (segment.kind) {
    case vfd::SegmentKind::Events: // the hook only appends to them
        return 0;
    // All of it is `used`; one frame above the top may be partly written.
    case vfd::SegmentKind::Stack:
        return std::min<std::size_t>(segment.used,
                                     static_cast<std::size_t>(state.top - state.frames + 2) * sizeof(vfd::Frame));
    // All of it is `used`; the next node is all zeros.
    case vfd::SegmentKind::Nodes: {
        std::size_t before = segment.arg0 * sizeof(vfd::Node), all = state.record->node_count * sizeof(vfd::Node);
        return before >= all ? 0 : std::min<std::size_t>(segment.used, all - before);
    }
    default:
        return segment.used;
    }
}

// Calls visit(Range) for each mapping of the file that the hook may use, and for the one that the kernel writes samples
// to.
template <class Visit>
void for_each_mapping(const ThreadState& state, Visit visit) {
    if (const std::span<std::byte> samples = state.samples.ring.mapping(); !samples.empty())
        visit(Range{samples.data(), samples.size(), 0});
    auto* header = reinterpret_cast<std::byte*>(&recorder.writer.header());
    visit(Range{header, base::round_to_pages(sizeof(vfd::FileHeader)), sizeof(vfd::FileHeader)});
    recorder.writer.for_each([&](const vfd::SegmentHeader& segment, const std::byte* payload) {
        if (!may_be_touched(state, segment))
            return;
        auto* begin = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(&segment));
        auto* apart = const_cast<std::byte*>(payload);
        std::size_t content = content_of(state, segment);
        if (apart == begin + segment.payload_offset)
            return visit(Range{begin, segment.capacity, segment.payload_offset + content});
        visit(Range{begin, segment.payload_offset, sizeof segment});
        visit(Range{apart, segment.capacity - segment.payload_offset, content});
    });
}

bool map_at(const Range& range) {
#ifndef MAP_FIXED_NOREPLACE
    constexpr int MAP_FIXED_NOREPLACE = 0x100000;
#endif
    // Nodes lie in a reserved range of addresses that is unmapped in the child; so are all other ranges.
    void* place = mmap(range.place, range.bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (place == range.place) {
        base::hide_from_race_detectors(place, range.bytes);
        return true;
    }
    if (place != MAP_FAILED)
        munmap(place, range.bytes);
    return false;
}

} // namespace

void copy_hooks_memory(const ThreadState& state) {
    vfd::Writer::Reading reading(recorder.writer);
    std::size_t count = 0, bytes = sizeof(Copy);
    for_each_mapping(state, [&](const Range& range) {
        ++count;
        bytes += sizeof range + range.copied;
    });
    drop_hooks_memory();
    copy = static_cast<Copy*>(base::map_anonymous(bytes));
    if (!copy)
        return;
    copy->bytes = bytes;
    copy->state = current;
    std::memcpy(static_cast<void*>(&copy->contents), &state, sizeof state);
    copy->data = reinterpret_cast<std::byte*>(copy->ranges + count);
    // Other threads may add shared data meanwhile, which did not exist when the hook began.
    std::byte* to = copy->data;
    for_each_mapping(state, [&](Range range) {
        std::size_t room = bytes - static_cast<std::size_t>(to - reinterpret_cast<std::byte*>(copy));
        if (copy->count == count)
            return;
        range.copied = std::min(range.copied, room);
        copy->ranges[copy->count++] = range;
        std::memcpy(to, range.place, range.copied);
        to += range.copied;
    });
}

void drop_hooks_memory() {
    if (copy)
        base::unmap(copy, copy->bytes);
    copy = nullptr;
}

void restore_hooks_memory() {
    if (!copy)
        return;
    const std::byte* from = copy->data;
    for (std::size_t i = 0; i < copy->count; ++i) {
        const Range& range = copy->ranges[i];
        if (map_at(range))
            std::memcpy(range.place, from, range.copied);
        from += range.copied;
    }
    std::memcpy(static_cast<void*>(copy->state), &copy->contents, sizeof copy->contents);
    copy->state->recording_state = GuardOff;
    if (!is_under_way(copy->contents))
        copy->state->guard = GuardOff;
    // From now on the hook gets memory instead of file segments. Locks that other threads held are released, as these
    // threads do not exist here.
    recorder.writer.stay_in_memory();
    recorder.names.forget_lock();
    recorder.modules.forget_lock();
    recorder.groups.forget_lock();
    recorder.types.forget_lock();
    recorder.thread_lock.unlock();
    recorder.clock_reader_since = 0;
    drop_hooks_memory();
}

} // namespace vftr::record
