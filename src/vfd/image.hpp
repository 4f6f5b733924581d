// SPDX-License-Identifier: BSD-3-Clause
//
// The reader's view of a recording: of a file, sealed or not, or of the recorder's own live memory
// (the text log of a run is made from exactly what `vftr report` would read from its file).
//
// Everything in a file is untrusted: no offset, size, count, id or name is used before it is
// checked. What is damaged beyond its own segment throws Error; an unknown segment kind is skipped.
// While the writer lives, the published counts only grow, so a view is consistent up to the moment
// it was taken.
#pragma once

#include "vfd/format.hpp"

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::vfd {

// The analyzer's one exception: file, offset in bytes, reason; what() is one line with all three.
class Error : public std::runtime_error {
public:
    Error(std::string file, std::uint64_t offset, const std::string& reason);
    const std::string& file() const { return file_; }
    std::uint64_t offset() const { return offset_; }

private:
    std::string file_;
    std::uint64_t offset_;
};

struct Segment {
    const SegmentHeader* header;
    std::span<const std::byte> payload; // the used bytes
};

// One event segment, decoded front to back.
struct Event {
    enum class Kind { Enter, Leave, Thread, Message, Collective } kind;
    std::uint64_t ticks; // of a message and a collective call: its end, but see `late`
    std::uint32_t node;  // NoNode: Leave without a matching Enter in the stream
    std::uint32_t tid;   // Kind::Thread
    // Kind::Message and Kind::Collective
    std::uint64_t duration; // ticks
    std::uint32_t thread;   // ThreadRecord::index that `node` belongs to; where it is another one,
                            // node is not checked
    std::uint32_t target;   // rank or id of a group; of a collective call: the group of its communicator
    std::uint64_t late;  // ticks from its end to `ticks`, of a send whose end the program never saw: it is that of the
                         // call which began it
    Direction direction; // Kind::Message, like all that follows and `late`, but `root`
    Span span;
    std::uint64_t bytes;
    std::uint32_t type; // id of a TypeView, 0: not known
    std::int32_t tag;   // -1: none
    std::int64_t root;  // Kind::Collective: its place in the group, -1: none
};

struct ThreadView {
    const ThreadRecord* record = nullptr;           // a copy made when the image was
    std::vector<std::span<const Node>> node_chunks; // in order of ids; the last may have room for more
    std::vector<std::uint32_t> chunk_first;         // id of each chunk's first node
    std::span<const Frame> stack; // a copy too; outermost first, up to the first that is newer than the nodes
    std::vector<Segment> events;  // in order of sequence
    std::vector<ThreadLife>
        lives; // of the threads that used the record before, oldest first; of very many only the first
    std::vector<Estimate>
        estimates; // copies, by node, each of which has one at most and is valid, not the root; numbers are finite
    std::uint32_t node_count = 0; // nodes that are valid
    std::uint32_t kinds = 0;      // a bit for each kind of node that there is

    bool has(NodeKind kind) const { return kinds >> static_cast<unsigned>(kind) & 1; }

    // Of the first thread that used the record.
    std::uint64_t first_begin() const { return lives.empty() ? record->begin : lives.front().begin; }
    // A few steps. Throws std::out_of_range.
    const Node& node(std::uint32_t id) const;
    // Calls `visit` for every event, oldest first. A record cut off by a crash ends the walk, and
    // false is returned. event_reader.hpp has the same one event at a time.
    bool for_each_event(std::uint32_t file_flags, const std::function<void(const Event&)>& visit) const;
};

struct ModuleView {
    const ModuleRecord* record;
    std::span<const std::uint8_t> build_id;
    std::string_view path;
};

struct NameView {
    std::uint64_t key;
    std::uint16_t module;
    NodeKind kind;
    std::uint8_t flags;
    std::string_view name;
};

struct GroupView {
    std::uint32_t id;
    std::uint64_t size; // ranks, as many as the runs have
    std::span<const GroupRun> runs;

    // Calls `visit` for every member, in order; ForeignRank is the same in all ranks of a run.
    template <class Visit>
    void for_each_rank(Visit visit) const {
        for (const GroupRun& run : runs)
            for (std::uint32_t i = 0; i < run.count; ++i)
                visit(run.first + i * static_cast<std::uint32_t>(run.stride));
    }
    bool has(std::uint32_t rank) const;
};

struct TypeView {
    std::uint32_t id;
    std::uint64_t size;    // bytes
    std::string_view name; // empty: a derived type without one
};

class Image {
public:
    // Maps `path` read-only. Throws Error.
    static Image open(const std::string& path);
    // Live memory: `label` stands for the file name in messages. The memory must outlive the Image.
    static Image of_memory(const FileHeader& header, std::vector<Segment> segments, std::string label);

    Image(Image&&) noexcept;
    Image& operator=(Image&&) noexcept;
    ~Image();

    const FileHeader& header() const; // a copy, checked
    const std::string& label() const;
    bool closed() const; // nothing comes any more: sealed, executed or exited
    const std::vector<Segment>& segments() const;
    std::uint64_t segments_end() const; // of a file: the offset behind its last segment
    std::uint64_t
    first_offset(SegmentKind kind) const; // of a file: where its first segment of that kind begins; 0: there is none
    const std::vector<ThreadView>& threads() const;      // in order of ThreadRecord::index; one may be missing
    const ThreadView* thread(std::uint32_t index) const; // of that ThreadRecord::index; nullptr: it is missing
    const std::vector<ModuleView>& modules() const;
    const std::vector<NameView>& names() const;
    // Of any number of ranks up to 2^24 (see MostRanks), in order of ids.
    const std::vector<GroupView>& groups() const;
    const std::vector<TypeView>& types() const;     // in order of ids
    const GroupView* group(std::uint32_t id) const; // nullptr: there is none of that id
    const TypeView* type(std::uint32_t id) const;
    // The Traffic records, a part for each segment. Their direction and span are checked, nothing
    // else is.
    const std::vector<std::span<const Traffic>>& traffic() const;
    // The Team records, likewise; nothing of them is checked.
    const std::vector<std::span<const Team>>& teams() const;
    std::string_view config_text() const;             // empty: none
    std::span<const std::byte> profile_bytes() const; // FileKind::Merged; empty: none

    // Nanoseconds CLOCK_MONOTONIC of a tick count, by the pairs in the header.
    std::uint64_t to_ns(std::uint64_t ticks) const;
    double ns_per_tick() const;
    // The end pair; in an open file the latest moment known.
    std::uint64_t end_ticks() const;
    std::uint64_t to_realtime_ns(std::uint64_t ticks) const;

private:
    struct Impl;
    explicit Image(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace vftr::vfd
