// SPDX-License-Identifier: BSD-3-Clause
#include "report/path_text.hpp"

#include "report/text.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

constexpr std::uint32_t TailDepth = 8;

} // namespace

PathText::PathText(const analysis::Profile& profile, const ShownNames& names)
    : profile_(profile), names_(names), depth_(profile.nodes.size()), anchor_(profile.nodes.size()) {
    for (std::uint32_t id = 1; id < profile.nodes.size(); ++id) {
        std::uint32_t parent = profile.nodes[id].parent;
        depth_[id] = depth_[parent] + 1;
        anchor_[id] = depth_[id] <= TailDepth ? id : anchor_[parent];
    }
}

std::string PathText::of(std::uint32_t node, std::size_t limit) const {
    const std::size_t half = limit / 2;
    auto name = [&](std::uint32_t id) {
        return fit(names_.of(id), half);
    };
    // The root's end of the path, from the root up: only what half of the limit holds.
    std::vector<std::uint32_t> outer;
    for (std::uint32_t id = anchor_[node]; id != 0; id = profile_.nodes[id].parent)
        outer.push_back(id);
    std::string tail = name(0);
    std::uint32_t tail_depth = 0; // of the innermost function in it
    for (std::size_t i = outer.size(); i-- > 0;) {
        std::string next = name(outer[i]);
        if (next.size() + 1 + tail.size() > half)
            break;
        tail = next + '<' + tail;
        ++tail_depth;
    }
    // The other end, from the innermost function down, until both meet or the limit is reached.
    std::string head;
    for (std::uint32_t id = node; depth_[id] > tail_depth; id = profile_.nodes[id].parent) {
        std::string next = name(id);
        if (!head.empty() && head.size() + next.size() + 1 + tail.size() > limit) {
            head += '(' + std::to_string(depth_[id] - tail_depth) + " left out)<";
            break;
        }
        head += next + '<';
    }
    return head + tail;
}

std::size_t PathText::limit_for(std::size_t rows, std::size_t budget, std::size_t most) {
    constexpr std::size_t Least = 120;
    return std::clamp(budget / std::max<std::size_t>(rows, 1), Least, most);
}

} // namespace vftr::report
