// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the worksharing that the calling thread is in. libgomp's calls that end a worksharing do not say which one; the
// shadow stack does.
#pragma once

#include "record/hot/count_only_call.hpp"

namespace vftr::openmp {

// Returns the key of the construct that was entered last, has not been left, and belongs to the present region or task;
// 0 if there is none or nothing is recorded. It is for the calling thread, outside of hooks.
inline std::uint64_t open_construct(vfd::Construct construct) {
    const record::ThreadState& state = *record::materialized_thread();
    if (!record::is_ready(state) && state.guard != record::GuardPaused)
        return 0;
    for (const vfd::Frame* frame = state.top; frame > state.frames; --frame) {
        const vfd::Node& node = state.nodes[frame->node];
        if (node.kind == vfd::NodeKind::AttributedWork)
            return 0;
        if (node.kind != vfd::NodeKind::OpenMp)
            continue;
        const auto open = static_cast<vfd::Construct>(node.key >> vfd::ConstructShift);
        if (open == construct)
            return node.key;
        if (open == vfd::Construct::Parallel)
            return 0;
    }
    return 0;
}

} // namespace vftr::openmp
