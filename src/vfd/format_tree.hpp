// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): the call tree of a thread, its shadow stack, and the estimates for calls that were
// not timed or not counted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

inline constexpr std::uint32_t NoNode = 0xffffffff;

enum class NodeKind : std::uint8_t {
    Root = 0,     // "init", id 0 of every thread
    Function = 1, // key = address of the function
    Region = 2,   // key = NamedKey | index of a NameRecord
    Mpi = 3,      // as Region
    Pause = 4,    // as Region
    Overflow = 5, // the parent of all paths beyond max_call_paths
    // key = address | Construct << ConstructShift. The address is the one to which the construct returns in the
    // program.
    OpenMp = 6,
    // key = AttributedWorkKey | ThreadRecord::index << 32 | id of the target node in that thread (see below).
    AttributedWork = 7,
    // In profiles only: code without hooks that CPU samples have found (analysis/recording/thread_samples.hpp).
    Unhooked = 8,
};

// No user address has these bits.
inline constexpr std::uint64_t NamedKey = std::uint64_t{1} << 63;
inline constexpr std::uint64_t AttributedWorkKey = std::uint64_t{1} << 62;
inline constexpr unsigned ConstructShift = 56; // six bits
inline constexpr std::uint64_t AddressMask = (std::uint64_t{1} << ConstructShift) - 1;

// Work attribution: what a thread does in a parallel region that another thread forked, or in a task that another
// thread created, belongs below the call path of that other thread. It is recorded below a node of the kind
// AttributedWork, whose key names the target node. Readers move the children of this node below the target node
// (analysis/recording/placement.hpp) and add its exclusive time to the target's. Its calls are how often the thread
// took part. They are calls of the target only if that is a task, because a task's executions are not counted anywhere
// else.

enum NodeFlags : std::uint8_t {
    NodePrecise = 1,
    NodeTimingSampled = 2, // its calls have sampled timing, see Estimate
    NodeTrigger = 4,       // its calls may start or stop the recording
    NodeEstimated = 8,     // it has an Estimate
    // Not a call path: the node stands for all calls of its function that are not recorded in the thread, whatever
    // their caller, so that they need one node only. It is a child of the root and has no calls; readers skip it.
    NodeUnrecorded = 16,
    NodeDurations = 32, // it has CallDurations once a call of it was timed
};

// Count-only calls. A short call is counted by a single store: Node::countdown is the number of calls that come before
// the next timed one, and Node::calls includes all of them already. CountdownUnrecorded means that the function is at
// present not recorded below this path; it may have calls from before.
inline constexpr std::int32_t CountdownUnrecorded = -1;

// One call path of one thread: the function `key`, called from the path `parent`. A node is one cache line, and a hook
// touches one node per event. `calls` and `countdown` are adjacent so that one instruction stores both
// (record/hot/count_only_call.hpp).
struct Node {
    std::uint64_t key;
    std::uint64_t inclusive; // ticks of completed outermost activations that were timed
    std::uint64_t exclusive; // ticks of timed activations, without their timed callees
    std::uint64_t folded;    // number of calls that were direct recursion and not timed
    std::uint64_t calls;     // includes the `countdown` calls that were not made yet, see calls_of
    std::int32_t countdown;  // number of calls before the next timed one, or CountdownUnrecorded
    std::uint16_t module;    // id of a ModuleRecord, 0 = none
    NodeKind kind;
    std::uint8_t flags;     // NodeFlags
    std::uint32_t parent;   // id in the same thread, always smaller than the node's own; NoNode for the root
    std::uint32_t open;     // number of activations that are now on the shadow stack
    std::uint32_t ordinal;  // index among the children of the parent in order of ids, from 0
    std::uint32_t children; // number of them
};
static_assert(sizeof(Node) == 64 && offsetof(Node, calls) % 16 == 0 &&
              offsetof(Node, countdown) == offsetof(Node, calls) + 8);

// The calls that were made. While a recording goes on, the result may be off by one.
constexpr std::uint64_t calls_of(const Node& node) {
    const std::uint64_t ahead = node.countdown > 0 ? static_cast<std::uint64_t>(node.countdown) : 0;
    return node.calls > ahead ? node.calls - ahead : 0;
}

// Whether the key contains an address in the program, and that address.
constexpr bool has_address(NodeKind kind) { return kind == NodeKind::Function || kind == NodeKind::OpenMp; }
constexpr std::uint64_t address_of(std::uint64_t key, NodeKind kind) {
    return kind == NodeKind::OpenMp ? key & AddressMask : key;
}
constexpr std::uint64_t address_of(const Node& node) { return address_of(node.key, node.kind); }

// A call path of which some calls are timed and the others estimated from these. The time of a count-only call, without
// that of the timed calls below it, is in the exclusive time of the innermost timed call around it. A timed call that
// stands for n count-only ones and has an own time of t (its duration minus the timed calls below it) shows that n·t of
// that time belongs to this path and not to its parent's. Hence
//     exclusive time of a path = Node::exclusive + moved(path) − Σ moved(children),
//     moved = own × (count_only_calls − max(countdown, 0)) / weight.
// All exclusive times still add up to the thread's time. The inclusive time of a path with an Estimate is the sum of
// the exclusive times in its subtree. The number of count-only calls before each timed one is random, so that the
// timing cannot fall into step with a pattern of the program. This is the ratio estimator of Cochran, Sampling
// Techniques, chapter 6.
struct Estimate {
    std::uint32_t node;
    // The stride: calls that one timed call stands for at present, itself included; 1: all are timed.
    std::uint32_t stride;
    // Count-only calls so far, including the Node::countdown calls that were not made yet.
    std::uint64_t count_only_calls;
    std::uint64_t weight; // count-only calls that timed calls have stood for so far
    std::uint64_t timed;  // timed calls that stood for others
    double own;           // ticks, Σ n·t
    double variance;      // of `own`, ticks²
    std::uint64_t writer_private[6];
};
static_assert(sizeof(Estimate) == 96);

// Calls of a path that nothing has counted. The hook calls of a windowed function are in the program's text only in
// short windows (record/budget/budget.hpp); how often it was called outside of them follows from the calls in them.
// Their time is in the exclusive time of the innermost path around it that has no UnseenCalls.
struct UnseenCalls {
    std::uint32_t node;
    std::uint32_t reserved;
    double calls; // the estimated number, beyond Node::calls
    double error; // half the width of the 95 % confidence interval of `calls`
};
static_assert(sizeof(UnseenCalls) == 24);

// A function that has been entered and not left. The bottom frame belongs to the root.
struct Frame {
    std::uint64_t stack_pointer; // stack pointer of the function at its call of the hook
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
    // The parent process entered it before the fork: Node::calls does not include it, and `enter` is the time of the
    // fork.
    FrameInherited = 4,
    FrameReported = 8,   // its enter was reported to a callback of the process
    FrameCountOnly = 16, // count-only call: `enter` is not set, its time is that of the frame below
    FrameNotTimed = FrameFolded | FrameCountOnly,
};

} // namespace vftr::vfd
