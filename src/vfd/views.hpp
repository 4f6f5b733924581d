// SPDX-License-Identifier: BSD-3-Clause
//
// What a reader sees of the parts of a recording: segments, threads, events, modules, names, groups and types. Image
// (image.hpp) has checked all numbers in them.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace vftr::vfd {

struct Segment {
    const SegmentHeader* header;
    std::span<const std::byte> payload; // the used bytes
};

// One decoded event of the stream of a thread.
struct Event {
    enum class Kind { Enter, Leave, Thread, Message, Collective, Probe } kind;
    std::uint64_t ticks; // for a message, probe or collective call its end, but see `late`
    std::uint32_t node;  // NoNode: a Leave without a matching Enter in the stream
    std::uint32_t tid;   // only for Kind::Thread
    // The following fields are for Kind::Message, Kind::Collective and Kind::Probe.
    std::uint64_t duration; // ticks
    // ThreadRecord::index of the thread to which `node` belongs. If that is another thread, `node` is not checked.
    std::uint32_t thread;
    std::uint32_t target; // rank or id of a group; for a collective call the group of its communicator
    // The number of the communicator, equal on all members; 0: MPI_COMM_WORLD, or not known.
    std::uint32_t communicator;
    // Ticks from its end to `ticks`. Not 0 only for a send whose end the program never saw; its end is then taken to be
    // that of the call which began it.
    std::uint64_t late;
    // The following fields are for Kind::Message only, except for those of which it is said; so is `late`.
    Direction direction;
    Span span;
    std::uint64_t bytes; // also of Kind::Probe
    std::uint32_t type;  // id of a TypeView, 0: not known
    std::int32_t tag;    // also of Kind::Probe; -1: none
    std::int64_t root;   // Kind::Collective: index of the root in the group, -1: none
    bool takes;          // Kind::Probe: the probe has taken the message, so that only its handle can receive it
};

struct ThreadView {
    const ThreadRecord* record = nullptr;           // a copy made when the image was made
    std::vector<std::span<const Node>> node_chunks; // in order of ids; the last one may have room for more nodes
    std::vector<std::uint32_t> chunk_first;         // id of the first node of each chunk
    // A copy, outermost frame first. It ends before the first frame whose node is newer than the nodes of this view.
    std::span<const Frame> stack;
    std::vector<Segment> events; // in order of sequence
    // The threads that used the record before, oldest first; if there were very many, only the first of them.
    std::vector<ThreadLife> lives;
    // Copies in order of nodes. Each node has at most one; the node is valid and not the root; all numbers are finite.
    std::vector<Estimate> estimates;
    // Copies in order of nodes, under the same conditions; no number is negative.
    std::vector<UnseenCalls> unseen;
    // Copies in any order; each node is valid.
    std::vector<CpuSample> samples;
    // Copies in any order; each node is valid and not the root, and the shortest and the longest call are in the
    // octave.
    std::vector<CallDurations> durations;
    std::uint32_t node_count = 0; // number of valid nodes
    std::uint32_t kinds = 0;      // a bit for each NodeKind that occurs

    bool has(NodeKind kind) const { return kinds >> static_cast<unsigned>(kind) & 1; }

    // When the first thread that used the record began.
    std::uint64_t first_begin() const { return lives.empty() ? record->begin : lives.front().begin; }
    // Takes a few steps. Throws std::out_of_range.
    const Node& node(std::uint32_t id) const;
    // Calls `visit` for every event, oldest first. Returns false if the stream ends with a record that a crash has cut
    // off. event_reader.hpp reads the same stream one event at a time.
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
    std::uint64_t size; // number of ranks, equal to the sum over the runs
    std::span<const GroupRun> runs;

    // Calls `visit` for every member, in order. A rank with ForeignRank set denotes the same rank in all processes of a
    // run.
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
    std::string_view name; // empty: a derived type without a name
};

} // namespace vftr::vfd
