// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree of a thread. The nodes lie in a contiguous range of address space that the thread owns and that is
// filled with file segments as the tree grows. So an id is an index, and a lookup is one addition.
//
// How the tree stays bounded:
//  - Direct recursion is one node: a function that calls itself directly stays in its node.
//  - A function that already occurs max_recursion times on the path is folded onto its innermost earlier occurrence;
//    the child table then maps the pair (path, function) to that ancestor.
//  - Beyond max_call_paths nodes, a function is counted in one node of its own under the overflow node, whatever its
//    caller. Counts and times stay right; only the path is lost.
// Node::open counts the activations of a node on the shadow stack, so that only the outermost one adds its inclusive
// time.
#pragma once

#include "base/memory.hpp"
#include "record/hot/thread_state.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vftr::record {

// Reserves address space for the trees of new threads, side by side; each range holds `nodes` nodes and the header of a
// segment. nullptr: there is none.
std::byte* reserve_trees(std::uint32_t threads, std::uint32_t nodes, bool first);
// The number of nodes for which address space is reserved at the limits in force, for the first thread of the process
// or for another one. Where address space is short (ulimit -v), a smaller tree is used rather than none.
std::uint32_t full_tree(bool first);
inline constexpr std::uint32_t SmallestTree = 4096;
inline std::size_t reserved_bytes(std::uint32_t nodes) {
    return base::round_to_pages((std::size_t{nodes} + 1) * sizeof(vfd::Node));
}

// For the thread that owns the node; other threads may read the flags at the same time.
inline void set_flags(vfd::Node& node, unsigned flags) {
    std::atomic_ref(node.flags).store(static_cast<std::uint8_t>(flags), std::memory_order_relaxed);
}

// Size of the first segment of nodes, including its header. It has to lie at the start of the reserved address space.
std::size_t first_nodes_bytes();
// Creates the root node in that segment.
void create_tree(ThreadState& state, vfd::SegmentHeader* first, std::uint32_t nodes);

// Returns the path of a callee that the child table does not have: an ancestor onto which it is folded, a node under
// the overflow node, a new node, or the node that stands for calls that are not recorded (vfd::NodeUnrecorded) and must
// not be entered. Never returns the root; returns 0 without memory. Keeps errno. hook_site: that of the function's
// CallAddresses, 0 where there is none.
std::uint32_t create_child(ThreadState& state, std::uint32_t parent, std::uint64_t key, vfd::NodeKind kind,
                           std::uint32_t hook_site = 0);
// As create_child, and charges the time it takes as one-time work (one_time_work.hpp), which moves the begin of all
// frames. Therefore only for an event whose time has not been read yet, is not needed any more, or will be compared
// with the frames again.
std::uint32_t create_callee(ThreadState& state, std::uint32_t parent, std::uint64_t key, vfd::NodeKind kind,
                            std::uint32_t hook_site = 0);

// Finds or makes a copy of a call path of another tree, exactly as it is there: nothing is folded, and only memory
// limits it. Returns 0 without memory.
std::uint32_t make_child(ThreadState& state, std::uint32_t parent, std::uint64_t key, vfd::NodeKind kind);

// A call path in the tree of any thread.
struct NodeOfThread {
    const ThreadState* thread;
    std::uint32_t id;
};
// Resolves work attribution: where a thread works for another, the result is the target node in the tree of that other
// thread. Any thread may call this, since a published path never changes, and each path was published before work was
// attached to it. If the other thread's node is not known, the result is the root of the node's own tree.
NodeOfThread resolve(NodeOfThread node);

// True if calls of this function from the path `parent` are not recorded.
bool is_unrecorded(const ThreadState& state, std::uint32_t parent, std::uint64_t key);

} // namespace vftr::record
