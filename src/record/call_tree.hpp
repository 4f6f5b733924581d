// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree of a thread: nodes in its own contiguous range of address space, filled with file segments as it
// grows, so that an id is an index and a lookup one addition.
//
// How the tree stays bounded.
//  - Direct recursion is one node: a function called from its own node leads back to that.
//  - A function that already stands max_recursion times on the path is folded onto its innermost earlier
//    occurrence; the pair (path, function) is then remembered as that ancestor.
//  - Beyond max_call_paths nodes, a function is counted in one node of its own under the overflow node, whatever its
//    caller. Counts and times stay right, only the path is lost.
// Node::open counts a node's activations on the shadow stack, so that inclusive time is added once, by the outermost.
#pragma once

#include "base/memory.hpp"
#include "record/thread_state.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vftr::record {

// Address space for the nodes of new threads, side by side, each for so many nodes and a segment's header. nullptr:
// none.
std::byte* reserve_trees(std::uint32_t threads, std::uint32_t nodes, bool first);
// How many that are, at the limits in force, for the first thread of the process or another one; where address space is
// short (ulimit -v) a smaller tree is better than none.
std::uint32_t full_tree(bool first);
inline constexpr std::uint32_t SmallestTree = 4096;
inline std::size_t reserved_bytes(std::uint32_t nodes) {
    return base::round_to_pages((std::size_t{nodes} + 1) * sizeof(vfd::Node));
}

// By the node's own thread; others may look at them meanwhile.
inline void set_flags(vfd::Node& node, unsigned flags) {
    std::atomic_ref(node.flags).store(static_cast<std::uint8_t>(flags), std::memory_order_relaxed);
}

// The first segment of nodes is to lie where the address space begins, header and all.
std::size_t first_nodes_bytes();
// Makes the root in it.
void create_tree(ThreadState& state, vfd::SegmentHeader* first, std::uint32_t nodes);

// The path of a callee that the table does not know: folded, counted under the overflow node, or new; or what stands
// for calls that are not recorded (vfd::NodeUnrecorded), which must not be entered. Never the root: 0 without memory.
// errno is kept. hook_site: of the function's Place, 0 where there is none.
std::uint32_t create_child(ThreadState& state, std::uint32_t parent, std::uint64_t key, vfd::NodeKind kind,
                           std::uint32_t hook_site = 0);
// The same, and what it takes is charged as work of ours (one_time_work.hpp), which moves the begin of all frames: in
// an event whose time has not been read yet, or is of no use any more, or is to be compared with the frames again.
std::uint32_t create_callee(ThreadState& state, std::uint32_t parent, std::uint64_t key, vfd::NodeKind kind,
                            std::uint32_t hook_site = 0);

// A call path that another tree has, as it is there: nothing is folded, no limit but that of memory. Found or made; 0
// without memory.
std::uint32_t make_child(ThreadState& state, std::uint32_t parent, std::uint64_t key, vfd::NodeKind kind);

// A call path, in whatever thread's tree.
struct NodeOfThread {
    const ThreadState* thread;
    std::uint32_t id;
};
// The target path: where a thread works for another, that one's. What threads have published of a path never changes,
// and each path was there before what is attached to it. Any thread; the root of its own tree where the other's is not
// known.
NodeOfThread resolve(NodeOfThread node);

} // namespace vftr::record
