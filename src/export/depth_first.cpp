// SPDX-License-Identifier: BSD-3-Clause
#include "export/depth_first.hpp"

#include <utility>

namespace vftr::exports {

std::vector<Visit> depth_first(const analysis::Profile& profile) {
    const std::size_t count = profile.nodes.size();
    constexpr std::uint32_t None = ~std::uint32_t{0};
    std::vector<std::uint32_t> child(count, None), sibling(count, None); // the first child, and the next one
    for (std::size_t i = count; i-- > 1;)
        sibling[i] = std::exchange(child[profile.nodes[i].parent], static_cast<std::uint32_t>(i));
    std::vector<Visit> order;
    order.reserve(count);
    std::vector<std::uint32_t> way; // from the root to the latest path
    for (std::uint32_t next = count == 0 ? None : 0; next != None;) {
        order.push_back({next, static_cast<std::uint32_t>(way.size())});
        way.push_back(next);
        next = child[next];
        while (next == None && !way.empty()) {
            next = sibling[way.back()];
            way.pop_back();
        }
    }
    return order;
}

} // namespace vftr::exports
