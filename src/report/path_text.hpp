// SPDX-License-Identifier: BSD-3-Clause
//
// Call paths of bounded width. A log shows thousands of paths that may be thousands of calls deep each, so one that is
// too wide has shorter names first, and then keeps the functions at both ends: "f<g<(2990 left out)<main<init". What
// tells least is what most paths share: a quarter of the width is the outer end's. What one path costs does not grow
// with its depth.
#pragma once

#include "analysis/profile.hpp"
#include "report/shown_names.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vftr::report {

class PathText {
public:
    // The profile and its names must outlive it. A path has `limit` characters at most, however small that is the
    // innermost function and the root; 0: it is whole. In a wider one names longer than `name_width` (0: than half the
    // limit) are shortened.
    PathText(const analysis::Profile& profile, const ShownNames& names, std::size_t limit, std::int64_t name_width);

    std::string of(std::uint32_t node) const;
    // Likewise, with some functions of its middle, from the innermost on, in any case; and with other short names.
    std::string with(std::uint32_t node, std::span<const std::uint32_t> kept,
                     const DistinctNames* shorter = nullptr) const;

    bool is_whole(std::uint32_t node) const {
        return limit_ == 0 || whole_width_[node] <= limit_;
    } // whether nothing of the path is shortened
    std::size_t limit() const { return limit_; }
    std::uint32_t depth(std::uint32_t node) const { return depth_[node]; }

    // A limit that keeps `rows` paths together within `budget` bytes, but at least legible.
    static std::size_t limit_for(std::size_t rows, std::size_t budget, std::size_t most);

private:
    // The end at the root, from the function at `depth` on.
    struct Tail {
        std::string text;
        std::uint32_t depth;
    };

    // How a function is written.
    using Name = const std::function<std::string(std::uint32_t)>;
    bool fits(std::uint32_t node, Name& name) const;
    std::string whole(std::uint32_t node) const;
    std::string whole(std::uint32_t node, Name& name) const;
    std::string name(std::uint32_t node) const;
    Tail tail_of(std::uint32_t node, Name& name) const;

    const analysis::Profile& profile_;
    const ShownNames& names_;
    std::size_t limit_, name_width_;
    std::vector<std::uint32_t> depth_;       // of a path; the root has 0
    std::vector<std::uint32_t> anchor_;      // its caller of depth TailDepth, itself where it is less deep
    std::vector<std::uint32_t> whole_width_; // characters; where there is a limit
};

} // namespace vftr::report
