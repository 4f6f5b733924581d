// SPDX-License-Identifier: BSD-3-Clause
#include "report/path_text.hpp"

#include "report/number_text.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

constexpr std::uint32_t TailDepth = 8;
constexpr std::size_t LeastName = 20; // width down to which names are shortened at most

std::string left_out(std::uint32_t functions) {
    return functions == 0 ? "" : '(' + std::to_string(functions) + " left out)<";
}

} // namespace

PathText::PathText(const analysis::Profile& profile, const ShownNames& names, std::size_t limit,
                   std::int64_t name_width)
    : profile_(profile), names_(names), limit_(limit), name_width_(std::max(limit / 2, LeastName)),
      words_(profile, [this](std::uint32_t name) { return shortened(name); }), depth_(profile.nodes.size()),
      anchor_(profile.nodes.size()) {
    if (name_width > 0)
        name_width_ = std::min(name_width_, static_cast<std::size_t>(name_width));
    for (std::uint32_t id = 1; id < profile.nodes.size(); ++id) {
        std::uint32_t parent = profile.nodes[id].parent;
        depth_[id] = depth_[parent] + 1;
        anchor_[id] = depth_[id] <= TailDepth ? id : anchor_[parent];
    }
    if (limit == 0 || profile.nodes.empty())
        return;
    constexpr std::size_t Most = 1 << 30; // so that a sum of two does not overflow
    std::vector<std::uint32_t> widths;
    for (std::uint32_t name = 0; name < profile.names.size(); ++name)
        widths.push_back(static_cast<std::uint32_t>(std::min(width(names.of_name(name)), Most)));
    whole_width_.reserve(profile.nodes.size());
    whole_width_.push_back(widths[profile.nodes[0].name]);
    for (std::uint32_t id = 1; id < profile.nodes.size(); ++id)
        whole_width_.push_back(
            std::min<std::uint32_t>(whole_width_[profile.nodes[id].parent] + 1 + widths[profile.nodes[id].name], Most));
}

std::string PathText::shortened(std::uint32_t name) const {
    const std::string& text = names_.of_name(name);
    return width(text) <= name_width_ ? text : names_.fitted(text, name_width_);
}

bool PathText::fits(std::uint32_t node, const PathWords& words) const {
    std::size_t all = words.of(0).width;
    for (std::uint32_t id = node; id != 0 && all <= limit_; id = profile_.nodes[id].parent)
        all += words.of(id).width + 1;
    return all <= limit_;
}

std::string PathText::whole(std::uint32_t node) const {
    std::string text;
    if (limit_ != 0)
        text.reserve(whole_width_[node]);
    for (std::uint32_t id = node; id != 0; id = profile_.nodes[id].parent)
        (text += names_.of(id)) += '<';
    text += names_.of(0);
    return text;
}

std::string PathText::whole(std::uint32_t node, const PathWords& words) const {
    std::string text;
    for (std::uint32_t id = node; id != 0; id = profile_.nodes[id].parent)
        (text += words.of(id).text) += '<';
    return text + words.of(0).text;
}

PathText::Tail PathText::tail_of(std::uint32_t node, const PathWords& words) const {
    std::vector<std::uint32_t> outer; // the outermost functions of the path, the innermost of them first
    for (std::uint32_t id = anchor_[node]; id != 0; id = profile_.nodes[id].parent)
        outer.push_back(id);
    Tail tail{words.of(0).text, words.of(0).width, 0};
    while (!outer.empty()) {
        const PathWord& next = words.of(outer.back());
        if (next.width + 1 + tail.width > limit_ / 4)
            break;
        tail = {next.text + '<' + tail.text, next.width + 1 + tail.width, tail.depth + 1};
        outer.pop_back();
    }
    return tail;
}

std::string PathText::of(std::uint32_t node) const { return with(node, {}); }

std::string PathText::with(std::uint32_t node, std::span<const std::uint32_t> kept, const PathWords* shorter) const {
    if (is_whole(node))
        return whole(node);
    const PathWords& words = shorter ? *shorter : words_;
    if (fits(node, words))
        return whole(node, words);
    const Tail tail = tail_of(node, words);
    std::size_t others = tail.width; // width of all that follows the head, without the first "left out"
    for (std::uint32_t id : kept)
        others += words.of(id).width + 1 + left_out(depth_[id]).size();
    std::string head;
    std::size_t head_width = 0;
    std::uint32_t at = node;
    while (depth_[at] > tail.depth) {
        const PathWord& next = words.of(at);
        const std::size_t longer = head_width + next.width + 1;
        if (!head.empty() && longer + left_out(depth_[at] - tail.depth - 1).size() + others > limit_)
            break;
        (head += next.text) += '<';
        head_width = longer;
        at = profile_.nodes[at].parent;
    }
    for (std::uint32_t id : kept)
        if (depth_[id] <= depth_[at] && depth_[id] > tail.depth) {
            ((head += left_out(depth_[at] - depth_[id])) += words.of(id).text) += '<';
            at = profile_.nodes[id].parent;
        }
    return head + left_out(depth_[at] - tail.depth) + tail.text;
}

std::size_t PathText::limit_for(std::size_t rows, std::size_t budget, std::size_t most) {
    constexpr std::size_t Least = 120;
    return std::clamp(budget / std::max<std::size_t>(rows, 1), Least, most);
}

} // namespace vftr::report
