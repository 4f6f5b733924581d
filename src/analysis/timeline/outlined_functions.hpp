// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that clang has outlined from an OpenMP construct (recording/naming.hpp). They have the path of the
// construct, and where all events are recorded, those of the construct say the same.
#pragma once

#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// By node of the thread: whether it is one. `places` are the nodes' paths in the profile.
inline std::vector<bool> outlined_functions(const vfd::ThreadView& view, const std::vector<std::uint32_t>& places,
                                            const Profile& paths) {
    std::vector<bool> outlined(places.size());
    for (std::uint32_t id = 0; id < places.size(); ++id)
        outlined[id] = view.node(id).kind == NodeKind::Function && paths.nodes[places[id]].kind == NodeKind::OpenMp;
    return outlined;
}

} // namespace vftr::analysis
