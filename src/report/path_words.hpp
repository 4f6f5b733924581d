// SPDX-License-Identifier: BSD-3-Clause
//
// The names with which functions are written in call paths, by the index of the name in the profile. A log writes the
// names of the outer functions in thousands of paths, so each is shortened and measured once.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

namespace vftr::report {

struct PathWord {
    std::string text;
    std::size_t width; // characters
};

class PathWords {
public:
    // Returns the text of a name that is an index into Profile::names.
    using Text = std::function<std::string(std::uint32_t name)>;

    PathWords(const analysis::Profile& profile, Text text) : profile_(profile), text_(std::move(text)) {}

    // The word of a node's function. Not thread-safe.
    const PathWord& of(std::uint32_t node) const;

private:
    const analysis::Profile& profile_;
    Text text_;
    mutable std::unordered_map<std::uint32_t, PathWord> words_;
};

} // namespace vftr::report
