// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "vfd/image.hpp"

#include <cstdint>
#include <span>

namespace vftr::analysis {

// Calls visit(id, node) for all nodes of a thread in the order of ids. For many nodes this is much cheaper than to look
// up each by its id.
template <class Visit>
void for_each_node(const vfd::ThreadView& view, Visit visit) {
    std::uint32_t id = 0;
    for (std::span<const vfd::Node> chunk : view.node_chunks)
        for (const vfd::Node& node : chunk) {
            if (id == view.node_count)
                return;
            visit(id++, node);
        }
}

} // namespace vftr::analysis
