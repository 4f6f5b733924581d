// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): the call tree of a thread, its shadow stack, and what is known of calls that are counted only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

inline constexpr std::uint32_t NoNode = 0xffffffff;

enum class NodeKind : std::uint8_t {
    Root = 0,     // "init", id 0 of every thread
    Function = 1, // key = address of the function
    Region = 2,   // key = NamedKey | index of a NameRecord
    Mpi = 3,      // likewise
    Pause = 4,    // likewise
    Overflow = 5, // the parent of all paths beyond max_call_paths
    OpenMp =
        6, // key = address | Construct << ConstructShift; the address is where the construct returns to in the program
    AttributedWork =
        7, // key = AttributedWorkKey | index of a ThreadRecord << 32 | id of a node of that thread, see below
};

// No user address has these bits.
inline constexpr std::uint64_t NamedKey = std::uint64_t{1} << 63;
inline constexpr std::uint64_t AttributedWorkKey = std::uint64_t{1} << 62;
inline constexpr unsigned ConstructShift = 56; // six bits
inline constexpr std::uint64_t AddressMask = (std::uint64_t{1} << ConstructShift) - 1;

// Work that one thread does for another. What a thread does in a parallel region that another one forked, or in a task
// that another one made, belongs below the call path of that other. It is recorded under a node that says which path is
// meant; readers put what stands below it there (analysis/placement.hpp), and its exclusive time is that of the path
// meant. Its calls are how often the thread took part: they are calls of the path meant only where that is a task,
// which nobody else counts.

enum NodeFlags : std::uint8_t {
    NodePrecise = 1,
    NodeTimingSampled = 2, // the durations of its timed calls are looked at, see Estimate
    NodeTrigger = 4,       // its calls may start or stop the recording
    NodeEstimated = 8,     // it has an Estimate
    // No call path: it stands for all calls of its function that are not recorded in the thread, whoever makes them, so
    // that they take no more than one node. Below the root, never called; readers pass it over.
    NodeUnrecorded = 16,
};

// Calls that are counted and not timed. A short call is counted by one store: Node::countdown counts down the calls
// that come before the next timed one, and Node::calls has them all already. Excluded: the function is not recorded at
// present, below this path; it may have calls from before.
inline constexpr std::int32_t CountdownUnrecorded = -1;

// One call path of one thread: the function `key`, called from the path `parent`.
// One cache line; a hook touches one node per event. `calls` and `countdown` lie where one instruction stores both
// (record/count_only_call.hpp).
struct Node {
    std::uint64_t key;
    std::uint64_t inclusive; // ticks, of completed outermost activations that were timed
    std::uint64_t exclusive; // ticks, of timed activations, without what they called that was timed
    std::uint64_t folded;    // of the calls, those that were direct recursion and not timed
    std::uint64_t calls;     // and `countdown` that were not made yet: calls_of
    std::int32_t countdown;  // calls before the next that is timed; CountdownUnrecorded
    std::uint16_t module;    // id of a ModuleRecord, 0 = none
    NodeKind kind;
    std::uint8_t flags;     // NodeFlags
    std::uint32_t parent;   // id in the same thread, always smaller than the own id; NoNode for the root
    std::uint32_t open;     // activations on the shadow stack now
    std::uint32_t ordinal;  // among the children of the parent, by id, from 0
    std::uint32_t children; // number of them
};
static_assert(sizeof(Node) == 64 && offsetof(Node, calls) % 16 == 0 &&
              offsetof(Node, countdown) == offsetof(Node, calls) + 8);

// Calls that were made. Of a recording that goes on it may be one off.
constexpr std::uint64_t calls_of(const Node& node) {
    const std::uint64_t ahead = node.countdown > 0 ? static_cast<std::uint64_t>(node.countdown) : 0;
    return node.calls > ahead ? node.calls - ahead : 0;
}

// Whether it is named by an address in the program, and that address.
constexpr bool has_address(NodeKind kind) { return kind == NodeKind::Function || kind == NodeKind::OpenMp; }
constexpr std::uint64_t address_of(std::uint64_t key, NodeKind kind) {
    return kind == NodeKind::OpenMp ? key & AddressMask : key;
}
constexpr std::uint64_t address_of(const Node& node) { return address_of(node.key, node.kind); }

// A call path of which some calls are timed and the others estimated from these. A count-only call's time, without that
// of the timed calls below it, is in the exclusive time of the innermost timed call around it. A timed call that stands
// for n count-only ones with an own time of t (its duration less the timed calls below it) says that n·t of that time
// belongs to this path and not to its parent's: so
//     exclusive time of a path = Node::exclusive + moved(path) − Σ moved(children),
//     moved = own × (count_only_calls − max(countdown, 0)) / weight.
// All exclusive times then still add up to the thread's time; the inclusive time of a path with an Estimate is the sum
// of the exclusive ones of its subtree. (The count-only calls before each timed one are as many as a random number
// says, so that no pattern of the program meets that of the timing; this is the ratio estimator of Cochran, Sampling
// Techniques, 6.)
struct Estimate {
    std::uint32_t node;
    std::uint32_t stride; // calls that one timed call stands for at present, itself included; 1: all are timed
    std::uint64_t count_only_calls; // count-only calls so far, and Node::countdown that were not made yet
    std::uint64_t weight;           // count-only calls that timed ones stood for, so far
    std::uint64_t timed;            // calls that stood for others
    double own;                     // ticks, Σ n·t
    double variance;                // ticks², of `own`
    std::uint64_t writer_private[6];
};
static_assert(sizeof(Estimate) == 96);

// One function that has been entered and not left. The bottom frame belongs to the root.
struct Frame {
    std::uint64_t stack_pointer; // of the function, where it called the hook
    std::uint64_t enter;         // ticks
    std::uint64_t child;         // ticks spent in callees that have returned
    std::uint32_t node;
    std::uint32_t flags;     // FrameFlags
    std::uint32_t call_site; // low 32 bits of the function's return address
    std::uint32_t hook_site; // low 32 bits of the hook's return address
};
static_assert(sizeof(Frame) == 40);

enum FrameFlags : std::uint32_t {
    FrameFolded = 1, // direct recursion: its time is that of the frame below, `enter` is not set
    FrameLogged = 2, // its enter is in the event stream
    FrameInherited =
        4, // entered by the parent before it forked: not among Node::calls; `enter` is the moment of the fork
    FrameReported = 8,   // its enter was delivered to a callback of the process
    FrameCountOnly = 16, // counted only: `enter` is not set, its time is that of the frame below
    FrameNotTimed = FrameFolded | FrameCountOnly,
};

} // namespace vftr::vfd
