// SPDX-License-Identifier: BSD-3-Clause
#include "record/threads/forked_path.hpp"

#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "base/memory.hpp"
#include "base/signal_mask.hpp"
#include "record/hot/call_tree.hpp"
#include "record/hot/count_only_call.hpp"
#include "record/hot/frames.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/stacks/interrupted_hook.hpp"
#include "record/stream/events.hpp"

#include <cstring>
#include <pthread.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace vftr::record {

using vfd::NodeKind;

namespace {

constexpr std::uint32_t MostFrames = 4096, MostNodes = 2 * MostFrames, MostNameBytes = 1 << 16;

enum class Fork : std::uint32_t {
    None,     // no fork, or its state is unknown
    UnderWay, // within fork(3)
    Over,     // the copy may be used in the child
};
// It lies beside data that the C library writes in parent and child at every fork, so that no further page is copied
// for it.
__thread Fork fork_state __attribute__((tls_model("initial-exec"))) = Fork::None;

struct KeptNode {
    std::uint64_t key;
    const ThreadState* thread; // the parent's thread whose tree has the node
    // Id in that tree; in the child, once the node has been made there, its id in the child's tree.
    std::uint32_t id;
    // Index of its caller in this copy; the first node is the root, which has its own index.
    std::uint32_t caller;
    std::uint32_t name, name_size; // name of a named entry: offset and size
    NodeKind kind;
};

struct KeptFrame {
    std::uint64_t stack_pointer;
    std::uint64_t left; // ticks when the function returned in the child; 0: it has not returned
    std::uint32_t node; // index of the node in this copy
    std::uint32_t flags, call_site, hook_site;
};

// Written by its thread alone. Frames and nodes have separate counts; as they lie side by side, a path that is not deep
// fits into one page.
struct Path {
    pid_t pid; // the process that copied it
    base::Moment moment;
    std::uint32_t frames, open; // open: number of frames that have not returned
    std::uint32_t nodes, name_bytes;
    struct {
        KeptFrame frame;
        KeptNode node;
    } at[MostNodes];
    char names[MostNameBytes];
};

__thread Path* kept __attribute__((tls_model("initial-exec"))) = nullptr;

bool is_inherited(const Path& path) { return path.pid != getpid(); }

bool keep_name(Path& path, KeptNode& node) {
    std::string_view name = recorder.names.text(node.key);
    if (name.size() > MostNameBytes - path.name_bytes)
        return false;
    node.name = path.name_bytes;
    node.name_size = static_cast<std::uint32_t>(name.size());
    std::memcpy(path.names + path.name_bytes, name.data(), name.size());
    path.name_bytes += node.name_size;
    return true;
}

// Returns the index of a call path in the copy, and copies it if necessary; callers come before their callees. NoNode:
// no room. The child has none of the parent's threads, so work for another thread is copied under its target node.
std::uint32_t keep_node(Path& path, NodeOfThread node) {
    node = resolve(node);
    auto find = [&](NodeOfThread wanted) {
        for (std::uint32_t i = path.nodes; i-- > 0;)
            if (path.at[i].node.id == wanted.id && (wanted.id == 0 || path.at[i].node.thread == wanted.thread))
                return i;
        return vfd::NoNode;
    };
    if (std::uint32_t at = find(node); at != vfd::NoNode)
        return at;
    // Goes up to a caller that has been copied already, then down again.
    std::uint32_t first = path.nodes, caller = vfd::NoNode;
    for (NodeOfThread next = node; next.id != vfd::NoNode && (caller = find(next)) == vfd::NoNode;) {
        if (path.nodes == MostNodes)
            return vfd::NoNode;
        const vfd::Node& at = next.thread->nodes[next.id];
        path.at[path.nodes++].node = {at.key, next.thread, next.id, 0, 0, 0, at.kind};
        next = resolve({next.thread, at.parent});
    }
    for (std::uint32_t i = first, k = path.nodes - 1; i < k; ++i, --k)
        std::swap(path.at[i].node, path.at[k].node);
    for (std::uint32_t i = first; i < path.nodes; ++i) {
        path.at[i].node.caller = i == first ? (caller == vfd::NoNode ? i : caller) : i - 1;
        if (path.at[i].node.kind != NodeKind::Function && path.at[i].node.key & vfd::NamedKey &&
            !keep_name(path, path.at[i].node))
            return vfd::NoNode;
    }
    return path.nodes - 1;
}

void copy_path(Path& path, const ThreadState& state) {
    path.pid = getpid();
    path.moment = base::read_moment();
    path.frames = path.open = path.nodes = path.name_bytes = 0;
    const vfd::Frame* top = state.top;
    // The root's frame is not copied, as the child has its own.
    const vfd::Frame* first = top - state.frames > MostFrames ? top - (MostFrames - 1) : state.frames + 1;
    for (const vfd::Frame* frame = first; frame <= top; ++frame) {
        std::uint32_t node = keep_node(path, {&state, frame->node});
        if (node == vfd::NoNode) {
            path.frames = path.nodes = 0;
            break;
        }
        path.at[path.frames++].frame = {
            frame->stack_pointer, 0, node, frame->flags & vfd::FrameFolded, frame->call_site, frame->hook_site};
    }
    path.open = path.frames;
}

// A thread that records nothing has no path to copy. The exception is a forked child whose recording has not begun: it
// passes on its parent's.
void remember(Fork fork) {
    if (recorder.phase.load(std::memory_order_relaxed) != Phase::Running)
        return;
    const ThreadState& state = *materialized_thread();
    if (state.guard == GuardOff) {
        if (!kept || fork_state == Fork::None)
            return;
        if (!is_inherited(*kept)) {
            fork_state = Fork::None;
            return;
        }
        kept->moment = base::read_moment();
        for (std::uint32_t i = kept->open; i < kept->frames; ++i)
            kept->at[i].frame.left = kept->moment.ticks;
        fork_state = fork;
        return;
    }
    base::preserving_errno([&] {
        if (!kept)
            kept = static_cast<Path*>(base::map_anonymous(sizeof(Path)));
        if (!kept)
            return;
        copy_path(*kept, state);
        fork_state = fork;
        if (state.guard > GuardShared || base::a_signal_is_blocked())
            copy_hooks_memory(state);
    });
}

// Cold, so that in a child the code lies together and takes one page fault.
VFTR_COLD void before_fork() { remember(Fork::UnderWay); }
VFTR_COLD void in_parent() {
    drop_hooks_memory();
    if (kept)
        fork_state = fork_state != Fork::None && is_inherited(*kept) ? Fork::Over : Fork::None;
}
VFTR_COLD void in_child() {
    restore_hooks_memory();
    if (kept && fork_state == Fork::UnderWay)
        fork_state = Fork::Over;
}

std::uint32_t make_node(ThreadState& state, const Path& path, const KeptNode& node) {
    std::uint64_t key = node.key;
    if (key & vfd::NamedKey && node.kind != NodeKind::Overflow)
        key = recorder.names.adopt({path.names + node.name, node.name_size}, node.kind, key);
    return key == 0 ? 0 : make_child(state, path.at[node.caller].node.id, key, node.kind);
}

bool make_nodes(ThreadState& state, Path& path) {
    for (std::uint32_t i = 0; i < path.nodes; ++i) {
        KeptNode& node = path.at[i].node;
        node.id = node.caller == i ? 0 : make_node(state, path, node);
        if (node.id == 0 && node.caller != i)
            return false;
    }
    return true;
}

bool push_inherited(ThreadState& state, const Path& path, const KeptFrame& from) {
    if (state.top + 1 == state.frames_end && !grow_frames(state))
        return false;
    std::uint32_t id = path.at[from.node].node.id;
    vfd::Frame* frame = state.top + 1;
    *frame = {from.stack_pointer, path.moment.ticks, 0, id, from.flags | vfd::FrameInherited,
              from.call_site,     from.hook_site};
    ++state.nodes[id].open;
    state.top = frame;
    if (state.stream & StreamAll) {
        log_enter_of(state, id, path.moment.ticks);
        frame->flags |= vfd::FrameLogged;
    }
    return true;
}

} // namespace

void watch_forks() { pthread_atfork(before_fork, in_parent, in_child); }

void remember_path() { remember(Fork::Over); }
void forget_path() { in_parent(); }
void arrive_in_child() { in_child(); }

const base::Moment* moment_of_fork() {
    return kept && fork_state == Fork::Over && is_inherited(*kept) ? &kept->moment : nullptr;
}

bool fork_is_under_way() { return kept && fork_state == Fork::UnderWay && is_inherited(*kept); }

void inherit_path(ThreadState& state) {
    Path& path = *kept;
    fork_state = Fork::None;
    if (!make_nodes(state, path))
        return;
    for (std::uint32_t i = 0; i < path.frames; ++i)
        if (!push_inherited(state, path, path.at[i].frame))
            break;
    publish_depth(state);
    for (std::uint32_t i = path.frames; i-- > path.open && state.top > state.frames;) {
        log_leave_of_top(state, path.at[i].frame.left);
        pop_frame(state, path.at[i].frame.left);
        state.record->last = path.at[i].frame.left;
    }
    publish_depth(state);
}

void leave_inherited(std::uint64_t key, std::uint64_t stack_pointer, bool jumped) {
    if (!kept || fork_state == Fork::None || !is_inherited(*kept))
        return;
    Path& path = *kept;
    // Chooses as find_leaving in frames.cpp does.
    std::uint32_t innermost = path.open, found = path.open;
    for (std::uint32_t i = path.open; i-- > 0;) {
        const KeptFrame& frame = path.at[i].frame;
        if (path.at[frame.node].node.key != key)
            continue;
        if (innermost == path.open)
            innermost = i;
        bool outside = frame.stack_pointer >= stack_pointer;
        if (!jumped && outside)
            found = i;
        else if (jumped && !outside)
            found = i;
        if (outside)
            break;
    }
    std::uint32_t leaves = found != path.open ? found : innermost;
    std::uint64_t now = base::read_ticks();
    while (path.open > leaves)
        path.at[--path.open].frame.left = now;
}

void free_remembered_path() {
    if (kept)
        base::unmap(kept, sizeof(Path));
    kept = nullptr;
    fork_state = Fork::None;
}

} // namespace vftr::record
