// SPDX-License-Identifier: BSD-3-Clause
#include "record/hot/call_tree.hpp"

#include "base/clock.hpp"
#include "base/errno_preserved.hpp"
#include "base/memory.hpp"
#include "record/budget/windowed.hpp"
#include "record/hot/filter_decisions.hpp"
#include "record/hot/thread_state.hpp"
#include "record/modules/unload.hpp"
#include "record/observers.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"
#include "record/timing/off_cpu.hpp"
#include "record/timing/one_time_work.hpp"

#include <algorithm>
#include <atomic>
#include <sys/resource.h>
#include <utility>

namespace vftr::record {

using vfd::Node;
using vfd::NodeKind;
using vfd::NoNode;

namespace {

constexpr std::uint32_t LargestChunk = 8192;     // 512 KiB; its unused part is in the file, too
constexpr std::uint32_t OverflowReserve = 65536; // functions that can be counted beyond max_call_paths

// Bytes for threads other than the first; protected by the lock of the threads.
std::uint64_t reserved_for_others = 0;

std::uint32_t nodes_in_a_page() { return static_cast<std::uint32_t>(base::page_size() / sizeof(Node)); }

// Adds memory for more nodes, as much as there is already: together with the header of the first segment, whole pages.
// False: no memory, or the reservation is used up.
bool grow(ThreadState& state) {
    std::uint32_t wanted = std::clamp(state.node_room + 1, nodes_in_a_page(), LargestChunk);
    wanted = std::min(wanted, state.node_limit - state.node_room);
    if (wanted == 0)
        return false;
    vfd::SegmentHeader* segment =
        recorder.writer.allocate(vfd::SegmentKind::Nodes, state.record->index, state.node_sequence,
                                 wanted * sizeof(Node), state.nodes + state.node_room);
    if (!segment)
        return false;
    segment->arg0 = state.node_room;
    // The whole chunk is valid; ThreadRecord::node_count tells how many nodes there are.
    std::uint32_t got =
        std::min(static_cast<std::uint32_t>((segment->capacity - segment->payload_offset) / sizeof(Node)), wanted);
    std::atomic_ref(segment->used).store(got * sizeof(Node), std::memory_order_release); // after arg0
    ++state.node_sequence;
    state.node_room += got;
    return true;
}

// Makes the next free node and publishes it in the record.
std::uint32_t append(ThreadState& state, std::uint32_t parent, std::uint64_t key, NodeKind kind) {
    std::uint32_t id = state.record->node_count;
    if (id == state.node_room && !grow(state))
        return NoNode;
    Node& node = state.nodes[id];
    node.key = key;
    node.parent = parent;
    node.kind = kind;
    if (parent != NoNode)
        node.ordinal = state.nodes[parent].children++;
    std::atomic_ref(state.record->node_count).store(id + 1, std::memory_order_release);
    return id;
}

// Another thread may read the node at the same time, for the names of its module (session/results/closed_names.hpp).
void set_module(Node& node) {
    const std::uint16_t module = find_module(vfd::address_of(node));
    std::atomic_ref(node.module).store(module, std::memory_order_relaxed);
    recorder.modules.has_new_path(module);
}

// What the configuration wants of the calls of a new path.
VFTR_COLD void mark(Node& node, bool precise) {
    const NodeKind kind = node.kind;
    const bool is_call =
        kind == NodeKind::Function || kind == NodeKind::Region || kind == NodeKind::Mpi || kind == NodeKind::OpenMp;
    if (precise && recorder.settings.sampling)
        set_flags(node, node.flags | vfd::NodePrecise);
    if (is_call && recorder.settings.durations)
        set_flags(node, node.flags | vfd::NodeDurations);
}

void classify(Node& node) {
    bool precise = true;
    if (node.kind == NodeKind::Function) {
        set_module(node);
        const std::uint8_t decision = decision_on(node.key);
        precise = decision & DecisionPrecise;
        if (decision & DecisionTrigger)
            set_flags(node, node.flags | vfd::NodeTrigger);
        if (node.module != 0)
            observers.dispatch_module(node.module);
    } else if (vfd::has_address(node.kind)) {
        set_module(node);
    }
    if (recorder.settings.sampling || recorder.settings.durations)
        mark(node, precise);
}

// The innermost node with this key among `from` and its ancestors if there are max_recursion of them, else NoNode.
std::uint32_t fold_target(const ThreadState& state, std::uint32_t from, std::uint64_t key) {
    std::uint32_t seen = 0, innermost = NoNode;
    for (std::uint32_t id = from; id != 0 && id != NoNode; id = state.nodes[id].parent)
        if (state.nodes[id].key == key) {
            if (innermost == NoNode)
                innermost = id;
            if (++seen >= recorder.settings.max_recursion)
                return innermost;
        }
    return NoNode;
}

std::uint32_t create_plain(ThreadState& state, std::uint32_t parent, std::uint64_t key, NodeKind kind) {
    if (std::uint32_t id = revive_node(state, parent, key, kind)) {
        // It was excluded when it became dormant; a function that gets here is recorded now.
        if (state.nodes[id].countdown == vfd::CountdownUnrecorded)
            state.nodes[id].countdown = 0;
        return id;
    }
    std::uint32_t id = state.children.make_room() ? append(state, parent, key, kind) : NoNode;
    if (id == NoNode)
        return 0;
    classify(state.nodes[id]);
    state.children.insert(parent, key, id);
    return id;
}

// The node for all calls of a function that is not recorded; 0 without memory.
std::uint32_t unrecorded(ThreadState& state, std::uint64_t key) {
    std::uint32_t id = state.children.find(state.nodes, ChildTable::AnyParent, key);
    if (id == ChildTable::NotThere)
        id = revive_node(state, ChildTable::AnyParent, key, NodeKind::Function);
    if (id == 0) {
        id = state.children.make_room() ? append(state, 0, key, NodeKind::Function) : NoNode;
        if (id == NoNode)
            return 0;
        Node& node = state.nodes[id];
        set_flags(node, vfd::NodeUnrecorded);
        node.countdown = vfd::CountdownUnrecorded;
        set_module(node);
        state.children.insert(ChildTable::AnyParent, key, id);
    }
    return id;
}

// The parent of the overflow nodes; 0 without memory.
std::uint32_t overflow_parent(ThreadState& state) {
    if (state.overflow_node == NoNode)
        state.overflow_node = append(state, 0, NoNode, NodeKind::Overflow);
    return state.overflow_node == NoNode ? 0 : state.overflow_node;
}

std::uint32_t overflow_child(ThreadState& state, std::uint64_t key, NodeKind kind) {
    if (overflow_parent(state) == 0)
        return 0;
    std::uint32_t id = state.children.find(state.nodes, state.overflow_node, key);
    return id != ChildTable::NotThere ? id : create_plain(state, state.overflow_node, key, kind);
}

bool in_overflow(const ThreadState& state, std::uint32_t id) {
    return state.overflow_node != NoNode && state.nodes[id].parent == state.overflow_node;
}

// Constructs and attributed work nest through the recursion of the functions around them, which need not be
// instrumented.
bool may_recur(NodeKind kind) {
    return kind == NodeKind::Function || kind == NodeKind::OpenMp || kind == NodeKind::AttributedWork;
}

bool is_dormant(const DormantNodes& dormant, std::uint32_t id) {
    return std::find(dormant.nodes, dormant.nodes + dormant.count, id) != dormant.nodes + dormant.count;
}

// A hook that a jump has left may have stopped between the two halves of an exchange of pairs in the table, which then
// has one of them twice and the other not at all: the next call of that one would get a second node. It is done before
// the next node is made, as it takes the time of a look-up for each node.
void put_missing_pairs_back(ThreadState& state) {
    for (std::uint32_t id = 1; id < state.record->node_count; ++id) {
        const Node& node = state.nodes[id];
        if ((vfd::calls_of(node) == 0 && node.open == 0) || node.kind == NodeKind::Overflow)
            continue;
        const std::uint32_t parent = ChildTable::parent_of(node);
        if (state.children.find(state.nodes, parent, node.key) == ChildTable::NotThere &&
            !is_dormant(state.dormant, id) && state.children.make_room())
            state.children.insert(parent, node.key, id);
    }
}

std::uint32_t choose_child(ThreadState& state, std::uint32_t parent, std::uint64_t key, NodeKind kind) {
    if (std::exchange(state.pairs_may_be_missing, false)) {
        put_missing_pairs_back(state);
        if (const std::uint32_t id = state.children.find(state.nodes, parent, key); id != ChildTable::NotThere)
            return id;
    }
    if (kind == NodeKind::Function && (is_unrecorded(state, parent, key) || path_may_be_wrong(key)))
        return unrecorded(state, key);
    // Beyond the limit the tree is flat; then at most the pairs of caller and callee are remembered.
    std::uint32_t folded = state.nodes[parent].key == key ? parent
                           : in_overflow(state, parent)   ? overflow_child(state, key, kind)
                           : may_recur(kind)              ? fold_target(state, parent, key)
                                                          : NoNode;
    if (folded != NoNode) {
        if (folded != 0 && state.children.make_room()) // without room, the pair is looked up again at the next call
            state.children.insert(parent, key, folded);
        return folded;
    }
    return state.record->node_count >= state.path_limit ? overflow_child(state, key, kind)
                                                        : create_plain(state, parent, key, kind);
}

// Counts the functions on the path, through the trees of all threads.
std::uint32_t functions_on(NodeOfThread path) {
    std::uint32_t count = 0;
    for (path = resolve(path); path.id != 0 && path.id != vfd::NoNode;
         path = resolve({path.thread, path.thread->nodes[path.id].parent}))
        count += path.thread->nodes[path.id].kind == NodeKind::Function;
    return count;
}

// Direct recursion does not count as deeper. (Otherwise its leave would be taken for that of the call around it.)
bool is_too_deep(const ThreadState& state, std::uint32_t parent, std::uint64_t key) {
    const std::uint32_t most = recorder.settings.max_depth;
    return most != 0 && state.nodes[parent].key != key && functions_on({&state, parent}) >= most;
}

} // namespace

// Where address space is limited (ulimit -v), it belongs to the program, above all for the stacks of its threads. The
// first thread, which is the only one of most programs, may reserve 1/32 of it for its tree. The other threads together
// get as much, each 1/64 of what the ones before it have left.
std::uint32_t full_tree(bool first) {
    if (first)
        reserved_for_others = 0; // also in a forked child
    const std::uint64_t wanted = recorder.settings.max_call_paths + OverflowReserve;
    rlimit space{};
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
        return static_cast<std::uint32_t>(wanted);
    const std::uint64_t part = space.rlim_cur / 32;
    const std::uint64_t share = (first ? part : (part - std::min(part, reserved_for_others)) / 64) / sizeof(Node);
    return static_cast<std::uint32_t>(std::min(std::max<std::uint64_t>(share, SmallestTree), wanted));
}

std::byte* reserve_trees(std::uint32_t threads, std::uint32_t nodes, bool first) {
    void* place = base::reserve(threads * reserved_bytes(nodes));
    if (place && !first)
        reserved_for_others += threads * reserved_bytes(nodes);
    return static_cast<std::byte*>(place);
}

std::size_t first_nodes_bytes() { return (nodes_in_a_page() - 1) * sizeof(Node); }

void create_tree(ThreadState& state, vfd::SegmentHeader* first, std::uint32_t nodes) {
    // The nodes behind the first header are then aligned like those of a page.
    static_assert(sizeof(Node) == sizeof(vfd::SegmentHeader));
    state.node_limit = nodes;
    state.path_limit = std::min(recorder.settings.max_call_paths, nodes - std::min(OverflowReserve, nodes / 4));
    state.overflow_node = NoNode;
    state.nodes = vfd::payload<Node>(first);
    state.node_room = static_cast<std::uint32_t>(first_nodes_bytes() / sizeof(Node));
    state.node_sequence = 1;
    std::atomic_ref(first->used).store(first_nodes_bytes(), std::memory_order_release);
    append(state, NoNode, 0, NodeKind::Root);
}

std::uint32_t create_child(ThreadState& state, std::uint32_t parent, std::uint64_t key, NodeKind kind,
                           std::uint32_t hook_site) {
    return base::preserving_errno([&] {
        const std::uint32_t id = choose_child(state, parent, key, kind);
        if (state.nodes[id].flags & vfd::NodeUnrecorded) {
            const auto tell = recorder.settings.excluded_call;
            // Otherwise the function is looked up again at the next call, as is one that is not recorded for a moment.
            if (!is_windowed(key) && (!tell || tell(state.nodes[parent].key, key, hook_site)) &&
                state.children.make_room())
                state.children.insert(parent, key, id);
        }
        return id;
    });
}

std::uint32_t create_callee(ThreadState& state, std::uint32_t parent, std::uint64_t key, NodeKind kind,
                            std::uint32_t hook_site) {
    // A preemption of the caller that is found after the work only would be taken for a part of it. (Other entries may
    // have begun before that preemption, which is then a part of their time.)
    if (kind == NodeKind::Function)
        look_for_preemption(state, *state.top, base::read_ticks());
    const std::uint64_t begin = base::read_ticks();
    const std::uint32_t id = create_child(state, parent, key, kind, hook_site);
    base::preserving_errno([&] { charge_one_time_work(state, begin); });
    return id;
}

NodeOfThread resolve(NodeOfThread node) {
    while (node.id != NoNode && node.thread->nodes[node.id].kind == NodeKind::AttributedWork) {
        const std::uint64_t key = node.thread->nodes[node.id].key;
        const ThreadState* other = thread_of(static_cast<std::uint32_t>((key & ~vfd::AttributedWorkKey) >> 32));
        const auto id = static_cast<std::uint32_t>(key);
        if (!other || id >= std::atomic_ref(other->record->node_count).load(std::memory_order_acquire))
            return {node.thread, 0};
        node = {other, id};
    }
    return node;
}

std::uint32_t make_child(ThreadState& state, std::uint32_t parent, std::uint64_t key, NodeKind kind) {
    if (kind == NodeKind::Overflow)
        return overflow_parent(state);
    std::uint32_t id = state.children.find(state.nodes, parent, key);
    return id != ChildTable::NotThere ? id : create_plain(state, parent, key, kind);
}

bool is_unrecorded(const ThreadState& state, std::uint32_t parent, std::uint64_t key) {
    return is_excluded(state, decision_on(key)) || (is_too_deep(state, parent, key) && !is_trigger(key));
}

} // namespace vftr::record
