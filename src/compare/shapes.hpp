// SPDX-License-Identifier: BSD-3-Clause
//
// What subtrees of one side look like, as numbers that are equal where the subtrees are alike. Places that only one
// side has are called by places that only this side has, or by one of both, so each of them has one shape. Two
// different subtrees have the same number with a chance of 2^-64.
#pragma once

#include "compare/combined_tree.hpp"

#include <cstdint>
#include <vector>

namespace vftr::compare {

struct Shapes {
    explicit Shapes(const CombinedTree& tree);

    // By place. 0 for places that both sides have.
    std::vector<std::uint64_t> with_names;    // functions and calls of the whole subtree
    std::vector<std::uint64_t> without_calls; // its functions
    std::vector<std::uint64_t> below;         // calls below, without any names; of the callees their modules
    std::vector<std::uint64_t> callees;       // functions that are called directly, with their calls
    std::vector<std::uint32_t> places;        // how many there are in the subtree, with its uppermost one
};

// Mixes all bits (the finalizer of SplitMix64), so that sums of such numbers do not depend on the order only.
constexpr std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

} // namespace vftr::compare
