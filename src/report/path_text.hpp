// SPDX-License-Identifier: BSD-3-Clause
//
// Writes call paths with bounded width. A log may show thousands of paths, each thousands of calls deep. In a path that
// is too wide, names are shortened first; then only the functions at both ends are kept: "f<g<(2990 left
// out)<main<init". The outer end gets only a quarter of the width, as most paths have it in common. The cost for one
// path does not grow with its depth.
#pragma once

#include "analysis/profile/profile.hpp"
#include "report/path_words.hpp"
#include "report/shown_names.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vftr::report {

class PathText {
public:
    // The profile and its names must outlive it, and it stays where it was made. A path gets at most `limit`
    // characters, but always has the innermost function and the root; 0: no limit. In a wider path, names longer than
    // `name_width` (0: half the limit) are shortened.
    PathText(const analysis::Profile& profile, const ShownNames& names, std::size_t limit, std::int64_t name_width);

    PathText(const PathText&) = delete;
    PathText& operator=(const PathText&) = delete;

    std::string of(std::uint32_t node) const;
    // As of(), but always keeps the functions `kept` of its middle (the innermost first), and uses the names of
    // `shorter` where there are any.
    std::string with(std::uint32_t node, std::span<const std::uint32_t> kept, const PathWords* shorter = nullptr) const;

    // Whether the path is written in full.
    bool is_whole(std::uint32_t node) const { return limit_ == 0 || whole_width_[node] <= limit_; }
    std::size_t limit() const { return limit_; }
    std::uint32_t depth(std::uint32_t node) const { return depth_[node]; }

    // The limit with which `rows` paths together stay within `budget` bytes, but not below a legible width.
    static std::size_t limit_for(std::size_t rows, std::size_t budget, std::size_t most);

private:
    // The end of the path at the root, from the function at `depth` outwards.
    struct Tail {
        std::string text;
        std::size_t width; // characters
        std::uint32_t depth;
    };

    bool fits(std::uint32_t node, const PathWords& words) const;
    std::string whole(std::uint32_t node) const;
    std::string whole(std::uint32_t node, const PathWords& words) const;
    std::string shortened(std::uint32_t name) const;
    Tail tail_of(std::uint32_t node, const PathWords& words) const;

    const analysis::Profile& profile_;
    const ShownNames& names_;
    std::size_t limit_, name_width_;
    PathWords words_;                        // with names of at most name_width_
    std::vector<std::uint32_t> depth_;       // by node; the root has 0
    std::vector<std::uint32_t> anchor_;      // by node: its caller at depth TailDepth, or itself if it is less deep
    std::vector<std::uint32_t> whole_width_; // by node, in characters; only filled where there is a limit
};

} // namespace vftr::report
