// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/unload.hpp"

#include "base/memory.hpp"
#include "record/hot/call_tree.hpp"
#include "record/hot/filter_decisions.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/observers.hpp"
#include "record/threads/thread_records.hpp"

#include <algorithm>
#include <cstring>

namespace vftr::record {

using vfd::Node;
using vfd::NodeKind;

namespace {

constexpr std::uint32_t FirstRoom = 1024; // one page

bool of_unloaded(const Node& node) { return vfd::has_address(node.kind) && recorder.modules.unloaded(node.module); }

bool make_room(DormantNodes& dormant) {
    if (dormant.count < dormant.room)
        return true;
    const std::uint32_t room = std::max(2 * dormant.room, FirstRoom);
    auto* nodes = static_cast<std::uint32_t*>(base::map_anonymous(room * sizeof(std::uint32_t)));
    if (!nodes)
        return false;
    if (dormant.nodes) {
        std::memcpy(nodes, dormant.nodes, dormant.count * sizeof(std::uint32_t));
        base::unmap(dormant.nodes, dormant.room * sizeof(std::uint32_t));
    }
    dormant.nodes = nodes;
    dormant.room = room;
    return true;
}

// Without memory the path is lost; a new one is made if the function is called again.
void make_dormant(DormantNodes& dormant, std::uint32_t id) {
    if (make_room(dormant))
        dormant.nodes[dormant.count++] = id;
}

} // namespace

std::uint16_t find_module(std::uint64_t address) {
    bool revived = false;
    const std::uint16_t id = recorder.modules.find(address, &revived);
    if (revived)
        decision_has_changed(ChangedFunctions::all_of(id));
    return id;
}

void modules_may_go() {
    HeldGuard guard;
    if (current->guard != GuardOff)
        make_room(current->dormant);
}

void modules_may_be_gone() {
    HeldGuard guard;
    const std::uint32_t before = recorder.modules.unloads();
    recorder.modules.find_unloaded();
    if (recorder.modules.unloads() == before)
        return;
    request_slow_path_of_all();
    // The thread's next events may be calls that do not check for unloaded modules.
    if (current->guard != GuardOff)
        forget_unloaded_if_any(*current);
}

void forget_unloaded(ThreadState& state) {
    state.unloads_seen = recorder.modules.unloads();
    state.children.forget(
        state.nodes, [&](std::uint32_t id) { return of_unloaded(state.nodes[id]); },
        [&](std::uint32_t id) { make_dormant(state.dormant, id); });
}

void correct_entered_path(ThreadState& state) {
    vfd::Frame* frame = state.top;
    Node& old = state.nodes[frame->node];
    if (frame == state.frames || !of_unloaded(old))
        return;
    const std::uint32_t id = create_child(state, frame[-1].node, old.key, old.kind);
    if (id == 0 || state.nodes[id].flags & vfd::NodeUnrecorded)
        return;
    --old.calls;
    --old.open;
    frame->node = id;
    ++state.nodes[id].calls;
    ++state.nodes[id].open;
}

std::uint32_t revive_node(ThreadState& state, std::uint32_t parent, std::uint64_t key, NodeKind kind) {
    DormantNodes& dormant = state.dormant;
    if (dormant.count == 0 || !vfd::has_address(kind))
        return 0;
    const std::uint16_t module = find_module(vfd::address_of(key, kind));
    for (std::uint32_t i = 0; i < dormant.count; ++i) {
        const std::uint32_t id = dormant.nodes[i];
        const Node& node = state.nodes[id];
        if (ChildTable::parent_of(node) != parent || node.key != key || node.module != module)
            continue;
        if (!state.children.make_room())
            return 0;
        state.children.insert(parent, key, id);
        dormant.nodes[i] = dormant.nodes[--dormant.count];
        observers.dispatch_module(module);
        return id;
    }
    return 0;
}

} // namespace vftr::record
