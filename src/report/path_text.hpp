// SPDX-License-Identifier: BSD-3-Clause
//
// Call paths of bounded length. A log shows thousands of paths that may be thousands of calls deep
// each, so a long one keeps the functions at both ends: "f<g<(2990 left out)<main<init". What one
// path costs does not grow with its depth.
#pragma once

#include "analysis/profile.hpp"
#include "report/shown_names.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vftr::report {

class PathText {
public:
    PathText(const analysis::Profile& profile, const ShownNames& names); // which must outlive it

    // About `limit` characters at most.
    std::string of(std::uint32_t node, std::size_t limit) const;

    // A limit that keeps `rows` paths together within `budget` bytes, but at least legible.
    static std::size_t limit_for(std::size_t rows, std::size_t budget, std::size_t most);

private:
    const analysis::Profile& profile_;
    const ShownNames& names_;
    std::vector<std::uint32_t> depth_; // of a path; the root has 0
    std::vector<std::uint32_t>
        anchor_; // its caller of depth TailDepth, itself where it is less deep
};

} // namespace vftr::report
