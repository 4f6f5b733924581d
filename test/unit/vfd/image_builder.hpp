// SPDX-License-Identifier: BSD-3-Clause
//
// Makes vfd images for tests, byte by byte after the description of the format and without the code
// of the writer, so that reader and writer cannot share a mistake.
#pragma once

#include "vfd/image.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace vftr::test {

using Bytes = std::vector<std::byte>;

template <class T>
void put(Bytes& out, const T& value) {
    auto raw = std::as_bytes(std::span(&value, 1));
    out.insert(out.end(), raw.begin(), raw.end());
}

inline void put_string(Bytes& out, std::string_view text) {
    auto raw = std::as_bytes(std::span(text));
    out.insert(out.end(), raw.begin(), raw.end());
}

inline void pad(Bytes& out, std::size_t multiple) { out.resize((out.size() + multiple - 1) / multiple * multiple); }

// A reference encoder of one event segment.
class EventEncoder {
public:
    explicit EventEncoder(std::uint64_t origin, unsigned unit_bits = 0)
        : origin_(origin), unit_bits_(unit_bits), units_(origin >> unit_bits) {}

    EventEncoder& enter(std::uint64_t ticks, std::uint32_t node) {
        return extended(ticks, vfd::ExtendedKind::Enter).id(node);
    }
    EventEncoder& leave(std::uint64_t ticks) { return head(ticks, 0, 2); }
    EventEncoder& leave_of(std::uint64_t ticks, std::uint32_t node) {
        return extended(ticks, vfd::ExtendedKind::LeaveOf).id(node);
    }
    EventEncoder& callee(std::uint64_t ticks, std::uint32_t ordinal) {
        constexpr unsigned Near[] = {2, 3, 5, 6, 7, 9, 10, 11, 13};
        if (ordinal >= 1 && ordinal <= std::size(Near))
            return head(ticks, Near[ordinal - 1], 4);
        head(ticks, 14, 4);
        leb128(ordinal);
        return *this;
    }
    EventEncoder& predicted(std::uint64_t ticks) { return head(ticks, 1, 4); }
    EventEncoder& thread(std::uint64_t ticks, std::uint32_t tid) {
        extended(ticks, vfd::ExtendedKind::Thread);
        leb128(tid);
        return *this;
    }
    struct Message {
        std::uint64_t begin;
        std::uint32_t node, target;
        std::uint64_t bytes;
        std::uint32_t type = 0;
        std::int32_t tag = -1;
        vfd::Direction direction = vfd::Direction::Send;
        vfd::Span span = vfd::Span::Rank;
        std::int32_t thread = -1;   // that began it, if it is another one
        std::uint64_t recorded = 0; // when it came into the stream, if its end was not seen
        std::uint32_t communicator = 0;
    };
    EventEncoder& message(std::uint64_t end, const Message& m) {
        extended(m.recorded ? m.recorded : end, vfd::ExtendedKind::Message);
        bytes_.push_back(static_cast<std::byte>(static_cast<unsigned>(m.direction) |
                                                static_cast<unsigned>(m.span) << 2 | (m.thread >= 0 ? 16u : 0u) |
                                                (m.recorded ? 32u : 0u) | (m.communicator ? 64u : 0u)));
        if (m.recorded)
            leb128(m.recorded - end);
        leb128(end - m.begin);
        if (m.thread >= 0)
            leb128(static_cast<std::uint64_t>(m.thread));
        leb128(m.node);
        leb128(m.target);
        leb128(m.bytes);
        leb128(m.type);
        zigzag(m.tag);
        if (m.communicator)
            leb128(m.communicator);
        return *this;
    }
    EventEncoder& probe(std::uint64_t begin, std::uint64_t end, std::uint32_t node, std::uint32_t sender,
                        std::uint64_t size, std::int32_t tag, std::uint32_t communicator, bool takes) {
        extended(end, vfd::ExtendedKind::Probe);
        raw({takes});
        leb128(end - begin);
        leb128(node);
        leb128(sender);
        leb128(size);
        zigzag(tag);
        leb128(communicator);
        return *this;
    }
    EventEncoder& collective(std::uint64_t begin, std::uint64_t end, std::uint32_t node, std::uint32_t group,
                             std::int32_t root, std::uint32_t communicator = 0) {
        extended(end, communicator ? vfd::ExtendedKind::CollectiveElsewhere : vfd::ExtendedKind::Collective);
        if (communicator)
            leb128(communicator);
        leb128(end - begin);
        leb128(node);
        leb128(group);
        leb128(static_cast<std::uint64_t>(root + 1));
        return *this;
    }
    // The first of a segment: what is entered there, outermost first.
    EventEncoder& entered(const std::vector<std::uint32_t>& nodes) {
        extended(origin_, vfd::ExtendedKind::Entered);
        leb128(nodes.size());
        for (std::uint32_t node : nodes)
            leb128(node);
        return *this;
    }
    EventEncoder& raw(std::initializer_list<unsigned> bytes) {
        for (unsigned b : bytes)
            bytes_.push_back(static_cast<std::byte>(b));
        return *this;
    }

    std::uint64_t origin() const { return origin_; }
    unsigned unit_bits() const { return unit_bits_; }
    const Bytes& bytes() const { return bytes_; }

private:
    void zigzag(std::int32_t value) {
        leb128(value < 0 ? static_cast<std::uint64_t>(-(value + 1)) * 2 + 1 : static_cast<std::uint64_t>(value) * 2);
    }
    void leb128(std::uint64_t value) {
        do {
            std::uint64_t rest = value >> 7;
            bytes_.push_back(static_cast<std::byte>((value & 0x7f) | (rest != 0 ? 0x80 : 0)));
            value = rest;
        } while (value != 0);
    }
    EventEncoder& head(std::uint64_t ticks, unsigned kind, unsigned bits) {
        std::uint64_t now = ticks >> unit_bits_;
        leb128((now - units_) << bits | kind);
        units_ = now;
        return *this;
    }
    EventEncoder& extended(std::uint64_t ticks, vfd::ExtendedKind kind) {
        head(ticks, 15, 4);
        bytes_.push_back(static_cast<std::byte>(kind));
        return *this;
    }
    EventEncoder& id(std::uint32_t node) {
        std::int64_t step = std::int64_t{node} - std::int64_t{node_};
        leb128(step < 0 ? static_cast<std::uint64_t>(-step) * 2 - 1 : static_cast<std::uint64_t>(step) * 2);
        node_ = node;
        return *this;
    }

    std::uint64_t origin_;
    unsigned unit_bits_;
    std::uint64_t units_;
    std::uint32_t node_ = 0;
    Bytes bytes_;
};

// A file without a name.
class MemoryFile {
public:
    explicit MemoryFile(std::span<const std::byte> bytes) : fd_(memfd_create("image", 0)) {
        if (fd_ < 0 || write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            throw std::runtime_error("no memory file");
    }
    ~MemoryFile() { close(fd_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }
    vfd::Image open() const { return vfd::Image::open(path()); }

private:
    int fd_;
};

class ImageBuilder {
public:
    static constexpr std::uint32_t Page = 4096;

    // Starts at tick 1000, which is 5 s on the monotonic clock; 2 ticks are 1 ns; sealed 1 s later.
    ImageBuilder() {
        std::memcpy(header.magic, vfd::Magic, sizeof vfd::Magic);
        header.version = vfd::FormatVersion;
        header.header_size = Page;
        header.kind = vfd::FileKind::Process;
        header.state = vfd::FileState::Sealed;
        header.page_size = Page;
        header.rank = 0;
        header.size = 1;
        header.clock = vfd::ClockKind::Tsc;
        header.pointer_bits = 64;
        header.start = {1000, 5'000'000'000, 1'800'000'000'000'000'000};
        header.end = {1000 + 2'000'000'000, 6'000'000'000, 1'800'000'001'000'000'000};
        header.sample_interval = 0.005;
        std::strcpy(header.version_string, "2.1.0");
        std::strcpy(header.basename, "app");
        std::strcpy(header.executable, "/usr/bin/app");
    }

    vfd::FileHeader header{};

    // Not closed: the clocks were last compared half a second after the start.
    ImageBuilder& unsealed() {
        header.state = vfd::FileState::Open;
        header.end = {};
        header.last[1] = {1000 + 1'000'000'000, 5'500'000'000, 1'800'000'000'500'000'000};
        header.last_index = 1;
        return *this;
    }

    ImageBuilder& segment(vfd::SegmentKind kind, std::uint32_t thread, std::uint32_t sequence, const Bytes& payload,
                          std::uint64_t arg0 = 0, std::uint64_t payload_offset = sizeof(vfd::SegmentHeader),
                          std::uint16_t flags = 0) {
        vfd::SegmentHeader s{};
        s.magic = vfd::SegmentMagic;
        s.kind = kind;
        s.flags = flags;
        s.thread = thread;
        s.sequence = sequence;
        s.capacity = (payload_offset + payload.size() + Page - 1) / Page * Page;
        s.used = payload.size();
        s.arg0 = arg0;
        s.payload_offset = payload_offset;
        std::size_t at = body_.size();
        segment_offsets_.push_back(Page + at);
        put(body_, s);
        body_.resize(at + payload_offset);
        body_.insert(body_.end(), payload.begin(), payload.end());
        pad(body_, Page);
        return *this;
    }
    ImageBuilder& empty_page() {
        body_.resize(body_.size() + Page);
        return *this;
    }

    static vfd::Node root() {
        vfd::Node node{};
        node.parent = vfd::NoNode;
        node.kind = vfd::NodeKind::Root;
        node.calls = 1;
        return node;
    }
    static vfd::Node function(std::uint32_t parent, std::uint64_t key, std::uint8_t flags = 0) {
        vfd::Node node{};
        node.parent = parent;
        node.key = key;
        node.kind = vfd::NodeKind::Function;
        node.calls = 1;
        node.flags = flags;
        return node;
    }

    // A thread without nodes of its own: they are to come in another form.
    ImageBuilder& record(std::uint32_t index, std::uint32_t node_count, std::uint32_t depth = 0) {
        vfd::ThreadRecord record{};
        record.index = index;
        record.tid = 100 + index;
        record.begin = header.start.ticks;
        record.origin.thread = vfd::NoThread;
        record.node_count = node_count;
        record.depth = depth;
        Bytes bytes;
        put(bytes, record);
        return segment(vfd::SegmentKind::Thread, index, 0, bytes);
    }
    // Record and nodes, these in chunks of the given size; 0 = one chunk.
    ImageBuilder& thread(std::uint32_t index, const std::vector<vfd::Node>& nodes, std::size_t chunk = 0,
                         std::uint32_t depth = 0) {
        record(index, static_cast<std::uint32_t>(nodes.size()), depth);
        chunk = chunk == 0 ? nodes.size() : chunk;
        std::uint32_t sequence = 0;
        for (std::size_t first = 0; first < nodes.size(); first += chunk) {
            Bytes part;
            for (std::size_t i = first; i < std::min(first + chunk, nodes.size()); ++i)
                put(part, nodes[i]);
            segment(vfd::SegmentKind::Nodes, index, sequence++, part, first, Page);
        }
        return *this;
    }
    ImageBuilder& stack(std::uint32_t thread, const std::vector<vfd::Frame>& frames, std::uint32_t sequence = 0) {
        Bytes bytes;
        for (const vfd::Frame& frame : frames)
            put(bytes, frame);
        return segment(vfd::SegmentKind::Stack, thread, sequence, bytes);
    }
    ImageBuilder& events(std::uint32_t thread, const EventEncoder& events, std::uint32_t sequence = 0) {
        return segment(vfd::SegmentKind::Events, thread, sequence, events.bytes(), events.origin(),
                       sizeof(vfd::SegmentHeader), static_cast<std::uint16_t>(events.unit_bits()));
    }
    ImageBuilder& samples(std::uint32_t thread, const std::vector<vfd::CpuSample>& samples) {
        Bytes bytes;
        for (const vfd::CpuSample& sample : samples)
            put(bytes, sample);
        return segment(vfd::SegmentKind::Samples, thread, 0, bytes);
    }
    ImageBuilder& name(std::uint64_t key, std::string_view text, vfd::NodeKind kind = vfd::NodeKind::Function,
                       std::uint16_t module = 0, std::uint8_t flags = 0) {
        pad(names_, 8);
        put(names_, vfd::NameRecord{key, static_cast<std::uint32_t>(text.size()), module, kind, flags});
        put_string(names_, text);
        return *this;
    }
    ImageBuilder& module(std::uint32_t id, std::uint64_t start, std::uint64_t end, std::string_view path,
                         std::string_view build_id = {}) {
        pad(modules_, 8);
        put(modules_, vfd::ModuleRecord{id, static_cast<std::uint16_t>(build_id.size()),
                                        static_cast<std::uint16_t>(path.size()), start, end, start, 0, 0, 0, 0, 0});
        put_string(modules_, build_id);
        put_string(modules_, path);
        return *this;
    }
    ImageBuilder& group(std::uint32_t id, const std::vector<vfd::GroupRun>& runs) {
        pad(groups_, 8);
        std::uint64_t size = 0;
        for (const vfd::GroupRun& run : runs)
            size += run.count;
        put(groups_, vfd::GroupRecord{id, static_cast<std::uint32_t>(runs.size()), size});
        for (const vfd::GroupRun& run : runs)
            put(groups_, run);
        return *this;
    }
    ImageBuilder& type(std::uint32_t id, std::uint64_t size, std::string_view name) {
        pad(types_, 8);
        put(types_, vfd::TypeRecord{id, static_cast<std::uint32_t>(name.size()), size});
        put_string(types_, name);
        return *this;
    }
    ImageBuilder& traffic(std::uint32_t thread, const std::vector<vfd::Traffic>& records, std::uint32_t sequence = 0) {
        Bytes bytes;
        for (const vfd::Traffic& record : records)
            put(bytes, record);
        return segment(vfd::SegmentKind::Traffic, thread, sequence, bytes);
    }
    ImageBuilder& lives(std::uint32_t thread, const std::vector<vfd::ThreadLife>& lives, std::uint32_t sequence = 0) {
        Bytes bytes;
        for (const vfd::ThreadLife& life : lives)
            put(bytes, life);
        return segment(vfd::SegmentKind::Lives, thread, sequence, bytes);
    }
    ImageBuilder& estimates(std::uint32_t thread, const std::vector<vfd::Estimate>& estimates,
                            std::uint32_t sequence = 0) {
        Bytes bytes;
        for (const vfd::Estimate& estimate : estimates)
            put(bytes, estimate);
        return segment(vfd::SegmentKind::Estimates, thread, sequence, bytes);
    }
    ImageBuilder& unseen(std::uint32_t thread, const std::vector<vfd::UnseenCalls>& records) {
        Bytes bytes;
        for (const vfd::UnseenCalls& record : records)
            put(bytes, record);
        return segment(vfd::SegmentKind::Unseen, thread, 0, bytes);
    }
    ImageBuilder& durations(std::uint32_t thread, const std::vector<vfd::CallDurations>& records) {
        Bytes bytes;
        for (const vfd::CallDurations& record : records)
            put(bytes, record);
        return segment(vfd::SegmentKind::Durations, thread, 0, bytes);
    }
    ImageBuilder& config(std::string_view json) {
        Bytes bytes;
        put_string(bytes, json);
        return segment(vfd::SegmentKind::Config, 0, 0, bytes);
    }

    // Names, modules, groups and types given so far become segments now.
    Bytes bytes() {
        if (!modules_.empty())
            segment(vfd::SegmentKind::Modules, 0, 0, std::exchange(modules_, {}));
        if (!names_.empty())
            segment(vfd::SegmentKind::Names, 0, 0, std::exchange(names_, {}));
        if (!groups_.empty())
            segment(vfd::SegmentKind::Groups, 0, 0, std::exchange(groups_, {}));
        if (!types_.empty())
            segment(vfd::SegmentKind::Types, 0, 0, std::exchange(types_, {}));
        header.file_end = Page + body_.size();
        Bytes file;
        put(file, header);
        pad(file, Page);
        file.insert(file.end(), body_.begin(), body_.end());
        return file;
    }
    // The image holds its own mapping, so the file may go.
    vfd::Image open() { return MemoryFile(bytes()).open(); }

    // Offsets of the segments in bytes(), in the order they were made.
    const std::vector<std::size_t>& segment_offsets() const { return segment_offsets_; }

private:
    Bytes body_, names_, modules_, groups_, types_;
    std::vector<std::size_t> segment_offsets_;
};

} // namespace vftr::test
