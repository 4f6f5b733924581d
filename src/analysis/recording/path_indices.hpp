// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the path in a profile for each node of a recording's threads.
#pragma once

#include "analysis/merge/flat_map.hpp"
#include "analysis/profile/profile.hpp"
#include "analysis/recording/naming.hpp"
#include "analysis/recording/placement.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::analysis {

// Image and profile must outlive it.
class PathIndices {
public:
    PathIndices(const vfd::Image& image, Profile& profile);
    PathIndices(const PathIndices&) = delete;

    // The indices into Profile::nodes, by node of the thread. A profile leaves out paths that were never called. Where
    // the stream has events of such a path (the writer died between the two stores), the path is appended to the
    // profile.
    std::vector<std::uint32_t> place(const vfd::ThreadView& thread);

private:
    std::uint32_t child(std::uint32_t parent, const vfd::Node& node);

    const vfd::Image& image_;
    Names names_;
    Profile& profile_;
    std::unordered_map<std::string, std::uint32_t> index_; // by name: index into Profile::names
    FlatMap paths_;
    Placement placement_;
};

} // namespace vftr::analysis
