// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/thread_view.hpp"

#include "base/compiler.hpp"
#include "vfd/column_segments.hpp"
#include "vfd/segments.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace vftr::vfd {

namespace {

// The segments of one thread, before they are decoded.
struct Parts {
    const Segment* record = nullptr;
    std::vector<Segment> nodes, stacks, events, lives, estimates, unseen, samples, durations;
};

using PartsByThread = std::unordered_map<std::uint32_t, Parts>;

// Copies the header and the used part of the payload. Returns false, and copies nothing, if the segment was reused
// meanwhile, because then the bytes may belong to two different segments.
bool copy_unless_used_again(Segment& segment, ThreadCopies& copies) {
    const SegmentHeader& live = *segment.header;
    const std::uint32_t sequence = published(live.sequence);
    const std::uint64_t used = published(live.used);
    SegmentHeader header;
    std::memcpy(&header, &live, sizeof header);
    std::span<const std::byte> payload = segment.payload.first(std::min<std::size_t>(used, segment.payload.size()));
    std::vector<std::byte> bytes(payload.begin(), payload.end());
#if !VFTR_THREAD_SANITIZER // it does not support fences
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    if (kind_of(live) != SegmentKind::Events || header.kind != SegmentKind::Events ||
        published(live.sequence) != sequence || header.sequence != sequence) {
        copies.events_changed = true;
        return false;
    }
    segment = {&copies.headers.emplace_back(header), copies.payloads.emplace_back(std::move(bytes))};
    return true;
}

PartsByThread sort_by_owner(const std::vector<Segment>& segments, const Source& source, ThreadCopies& copies,
                            Events events) {
    PartsByThread threads;
    for (const Segment& segment : segments) {
        std::uint32_t owner = segment.header->thread;
        switch (kind_of(*segment.header)) {
        case SegmentKind::Thread:
            if (segment.payload.size() < ThreadRecordOfVersion8)
                break;
            source.require(!threads[owner].record, segment.header, "two threads of one index");
            threads[owner].record = &segment;
            break;
        case SegmentKind::Nodes:
            threads[owner].nodes.push_back(segment);
            break;
        case SegmentKind::NodeColumns:
            source.require(threads[owner].nodes.empty(), segment.header,
                           "damaged call tree: there are two of a thread");
            threads[owner].nodes.push_back(read_columns(segment, source, copies));
            break;
        case SegmentKind::Stack:
            threads[owner].stacks.push_back(segment);
            break;
        case SegmentKind::Events: {
            Segment part = segment;
            if (events == Events::Viewed || (events == Events::Copied && copy_unless_used_again(part, copies)))
                threads[owner].events.push_back(part);
            break;
        }
        case SegmentKind::Packed:
            if (!segment.payload.empty())
                threads[owner].events.push_back(segment);
            break;
        case SegmentKind::Lives:
            threads[owner].lives.push_back(segment);
            break;
        case SegmentKind::Estimates:
            threads[owner].estimates.push_back(segment);
            break;
        case SegmentKind::EstimateColumns:
            threads[owner].estimates.push_back(read_columns(segment, source, copies));
            break;
        case SegmentKind::Unseen:
            threads[owner].unseen.push_back(segment);
            break;
        case SegmentKind::Samples:
            threads[owner].samples.push_back(segment);
            break;
        case SegmentKind::Durations:
            threads[owner].durations.push_back(segment);
            break;
        default:
            break;
        }
    }
    return threads;
}

void sort_by_sequence(std::vector<Segment>& segments) {
    std::stable_sort(segments.begin(), segments.end(),
                     [](const Segment& a, const Segment& b) { return a.header->sequence < b.header->sequence; });
}

// Keeps one segment for each part of the stream. If a part has just been packed, this is the packed one.
void order_events(std::vector<Segment>& events) {
    sort_by_sequence(events);
    std::vector<Segment> each;
    for (const Segment& segment : events)
        if (each.empty() || each.back().header->sequence != segment.header->sequence)
            each.push_back(segment);
        else if (kind_of(*segment.header) == SegmentKind::Packed)
            each.back() = segment;
    events = std::move(each);
}

// Joins the chunks whose ids are contiguous. A gap (a segment that was lost, or that was added after the list was made)
// ends the tree.
void join_nodes(ThreadView& view, std::vector<Segment>& segments) {
    sort_by_sequence(segments);
    std::uint64_t next = 0;
    for (const Segment& segment : segments) {
        std::size_t count = segment.payload.size() / sizeof(Node);
        if (count == 0)
            continue;
        if (segment.header->arg0 != next || next + count >= NoNode)
            break;
        view.node_chunks.emplace_back(reinterpret_cast<const Node*>(segment.payload.data()), count);
        view.chunk_first.push_back(static_cast<std::uint32_t>(next));
        next += count;
    }
    view.node_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(view.node_count, next));
}

void check_nodes(ThreadView& view, const Source& source) {
    std::uint32_t id = 0;
    for (std::span<const Node> chunk : view.node_chunks)
        for (const Node& node : chunk) {
            if (id == view.node_count)
                return;
            bool sound = id == 0
                             ? node.parent == NoNode && node.kind == NodeKind::Root
                             : node.parent < id && node.kind > NodeKind::Root && node.kind <= NodeKind::AttributedWork;
            source.require(sound, &node, "damaged call tree: a call path does not follow its caller");
            view.kinds |= std::uint32_t{1} << static_cast<unsigned>(node.kind);
            ++id;
        }
}

// The owner may write meanwhile and does no extra work for its readers. A frame may then be half old and half new, so
// that its times are off by one call, or an estimate off by one sample. The copy is made word by word because the
// thread sanitizer intercepts memcpy.
template <class Record>
__attribute__((no_sanitize("thread"))) void copy_while_written(std::span<Record> to, const std::byte* from) {
    struct __attribute__((may_alias)) Word {
        std::uint64_t bits;
    };
    static_assert(sizeof(Record) % sizeof(Word) == 0);
    auto* out = reinterpret_cast<Word*>(to.data());
    const auto* in = reinterpret_cast<const volatile Word*>(from);
    for (std::size_t i = 0; i < to.size_bytes() / sizeof *out; ++i)
        out[i].bits = in[i].bits;
}

// Returns the stack that is valid or, if that one was added after the list of segments was made, the latest in the
// list.
std::vector<Frame> copy_stack(const ThreadView& view, std::vector<Segment>& segments) {
    sort_by_sequence(segments);
    while (segments.size() > 1 && segments.back().header->sequence > view.record->stack_sequence)
        segments.pop_back();
    if (segments.empty())
        return {};
    std::span<const std::byte> bytes = segments.back().payload;
    std::vector<Frame> frames(std::min<std::size_t>(view.record->depth, bytes.size() / sizeof(Frame)));
    copy_while_written(std::span(frames), bytes.data());
    // A running writer may have entered newer nodes since the nodes were counted.
    auto newer = [&](const Frame& frame) { return frame.node >= view.node_count; };
    frames.erase(std::find_if(frames.begin(), frames.end(), newer), frames.end());
    return frames;
}

void join_lives(ThreadView& view, std::vector<Segment>& segments) {
    sort_by_sequence(segments);
    for (const Segment& segment : segments) {
        const auto* first = reinterpret_cast<const ThreadLife*>(segment.payload.data());
        view.lives.insert(view.lives.end(), first, first + segment.payload.size() / sizeof(ThreadLife));
    }
}

// True if the numbers are so small that two of them can be added.
bool is_sound(const Estimate& estimate) {
    return std::abs(estimate.own) < 1e300 && std::abs(estimate.variance) < 1e300;
}

void add(Estimate& to, const Estimate& other) {
    to.count_only_calls += other.count_only_calls;
    to.weight += other.weight;
    to.timed += other.timed;
    to.own += other.own;
    to.variance += other.variance;
}

bool is_sound(const UnseenCalls& unseen) {
    return unseen.calls >= 0 && unseen.calls < 1e18 && unseen.error >= 0 && unseen.error < 1e18;
}

void add(UnseenCalls& to, const UnseenCalls& other) {
    to.calls += other.calls;
    to.error += other.error;
}

// Calls visit(record, place) with a copy of each record; its place in the file is for messages.
template <class Record, class Visit>
void for_each_record(const std::vector<Segment>& segments, Visit visit) {
    for (const Segment& segment : segments)
        for (std::size_t at = 0; segment.payload.size() - at >= sizeof(Record); at += sizeof(Record)) {
            Record record;
            copy_while_written(std::span(&record, 1), segment.payload.data() + at);
            visit(record, segment.payload.data() + at);
        }
}

// Copies the records (Estimate, UnseenCalls), of which each path then has one. A running writer may already have one
// for a path that is newer than this view, or one that has no path yet. If a signal handler left the writer for good
// while it made a record, a path may have two.
template <class Record>
void join_by_node(std::vector<Record>& joined, std::uint32_t node_count, const std::vector<Segment>& segments,
                  const Source& source) {
    std::vector<Record> all;
    for_each_record<Record>(segments, [&](const Record& record, const std::byte* place) {
        source.require(is_sound(record), place, "damaged estimate: bad number");
        if (record.node != 0 && record.node < node_count)
            all.push_back(record);
    });
    std::sort(all.begin(), all.end(), [](const Record& a, const Record& b) { return a.node < b.node; });
    for (const Record& record : all)
        if (joined.empty() || joined.back().node != record.node)
            joined.push_back(record);
        else
            add(joined.back(), record);
}

constexpr std::uint64_t MostCounted = std::uint64_t{1} << 40; // so that sums of a damaged file's cannot overflow

// Copies the records. Several may have the same key (record/entries/sum_table.hpp), and one may be of a path that is
// newer than this view: that is the root's here.
std::vector<CpuSample> copy_samples(std::uint32_t node_count, const std::vector<Segment>& segments) {
    std::vector<CpuSample> samples;
    for_each_record<CpuSample>(segments, [&](CpuSample sample, const std::byte*) {
        if (sample.node >= node_count)
            sample.node = 0;
        sample.count = std::min(sample.count, MostCounted);
        samples.push_back(sample);
    });
    return samples;
}

// Copies the records, of which several may have the same key as well.
std::vector<CallDurations> copy_durations(std::uint32_t node_count, const std::vector<Segment>& segments,
                                          const Source& source) {
    std::vector<CallDurations> all;
    for_each_record<CallDurations>(segments, [&](CallDurations durations, const std::byte* place) {
        source.require(durations.octave < CallDurations::Octaves, place, "damaged durations: bad octave");
        if (durations.node == 0 || durations.node >= node_count)
            return;
        const std::uint64_t first = std::uint64_t{1} << durations.octave, last = first + (first - 1);
        durations.shortest = std::clamp(durations.shortest, first, last);
        durations.longest = std::clamp(durations.longest, durations.shortest, last);
        for (std::uint64_t& calls : durations.calls)
            calls = std::min(calls, MostCounted);
        all.push_back(durations);
    });
    return all;
}

ThreadRecord copy_record(const Segment& segment) {
    const auto& live = *reinterpret_cast<const ThreadRecord*>(segment.payload.data());
    std::uint32_t nodes = published(live.node_count), depth = published(live.depth);
    ThreadRecord copy{};
    std::memcpy(&copy, &live, std::min(sizeof copy, segment.payload.size()));
    copy.node_count = nodes;
    copy.depth = depth;
    return copy;
}

ThreadView assemble(std::uint32_t index, Parts& parts, const Source& source, ThreadCopies& copies) {
    ThreadView view;
    ThreadRecord& record = copies.records.emplace_back(copy_record(*parts.record));
    source.require(record.index == index, parts.record->header, "damaged thread: wrong index");
    view.record = &record;
    view.node_count = record.node_count;
    join_nodes(view, parts.nodes);
    check_nodes(view, source);
    join_by_node(view.estimates, view.node_count, parts.estimates, source);
    join_by_node(view.unseen, view.node_count, parts.unseen, source);
    view.samples = copy_samples(view.node_count, parts.samples);
    view.durations = copy_durations(view.node_count, parts.durations, source);
    if (record.count_only_node >= view.node_count)
        record.count_only_node = 0;
    view.stack = copies.stacks.emplace_back(copy_stack(view, parts.stacks));
    join_lives(view, parts.lives);
    order_events(parts.events);
    view.events = std::move(parts.events);
    return view;
}

} // namespace

std::vector<ThreadView> assemble_threads(const std::vector<Segment>& segments, const Source& source,
                                         ThreadCopies& copies, Events events) {
    PartsByThread parts = sort_by_owner(segments, source, copies, events);
    std::vector<std::uint32_t> indices;
    for (const auto& [index, part] : parts)
        if (part.record)
            indices.push_back(index);
    std::sort(indices.begin(), indices.end());
    std::vector<ThreadView> threads;
    for (std::uint32_t index : indices)
        threads.push_back(assemble(index, parts[index], source, copies));
    return threads;
}

const Node& ThreadView::node(std::uint32_t id) const {
    if (id >= node_count)
        throw std::out_of_range("vfd::ThreadView::node");
    auto chunk = std::upper_bound(chunk_first.begin(), chunk_first.end(), id) - chunk_first.begin() - 1;
    return node_chunks[static_cast<std::size_t>(chunk)][id - chunk_first[static_cast<std::size_t>(chunk)]];
}

} // namespace vftr::vfd
