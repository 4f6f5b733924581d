// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/sample_owners.hpp"

#include "../vfd/random_tree.hpp"

#include <catch2/catch.hpp>

#include <initializer_list>
#include <vector>

using namespace vftr::analysis;
using vftr::vfd::NodeKind;

namespace {

// Functions by number; each node is below the one before it.
enum Function : std::uint32_t { Root, Main, Solve, Update, Accessor, Functions };
const std::vector<std::uint32_t> Chain = {Root, Main, Solve, Update, Accessor};

std::vector<vftr::vfd::Node> chain() {
    std::vector<vftr::vfd::Node> nodes(Chain.size());
    for (std::uint32_t id = 0; id < nodes.size(); ++id) {
        nodes[id].kind = id == 0 ? NodeKind::Root : NodeKind::Function;
        nodes[id].parent = id == 0 ? vftr::vfd::NoNode : id - 1;
    }
    return nodes;
}

std::vector<std::uint64_t> owned(std::initializer_list<LocatedSample> samples,
                                 const std::vector<vftr::vfd::Node>& nodes = chain(),
                                 const std::vector<bool>& has_long_calls = std::vector<bool>(Functions, true)) {
    return samples_of_functions(vftr::test::view_of(nodes), std::vector<LocatedSample>(samples), Chain, has_long_calls);
}
using Counts = std::vector<std::uint64_t>;

} // namespace

TEST_CASE("a sample in a function's code is its own, whatever was running", "[sample_owners]") {
    CHECK(owned({{Solve, Solve, 5}, {Solve, Main, 2}}) == Counts{0, 0, 7, 0, 0});
    // A callee with samples in code of its own is not inlined.
    CHECK(owned({{Solve, Update, 5}, {Update, Update, 1}}) == Counts{0, 0, 5, 1, 0});
    CHECK(owned({{Solve, Update, 5}, {Update, Main, 1}}) == Counts{0, 0, 5, 1, 0});
}

TEST_CASE("a sample in code without hooks belongs to what was running", "[sample_owners]") {
    CHECK(owned({{std::nullopt, Update, 3}, {std::nullopt, Root, 1}}) == Counts{1, 0, 0, 3, 0});
}

TEST_CASE("a sample in a caller's code belongs to what was inlined there", "[sample_owners]") {
    CHECK(owned({{Solve, Update, 5}, {Solve, Solve, 2}}) == Counts{0, 0, 2, 5, 0});
    CHECK(owned({{Main, Accessor, 5}, {Main, Solve, 2}}) == Counts{0, 0, 2, 0, 5});
    // Update is not inlined, so that what it calls is not inlined into its caller.
    CHECK(owned({{Solve, Accessor, 5}, {Update, Update, 1}}) == Counts{0, 0, 5, 1, 0});
}

TEST_CASE("a tiny function that was inlined leaves its samples to the caller", "[sample_owners]") {
    std::vector<bool> has_long_calls(Functions, true);
    has_long_calls[Accessor] = false;
    CHECK(owned({{Update, Accessor, 5}, {Update, Update, 2}}, chain(), has_long_calls) == Counts{0, 0, 0, 7, 0});
    CHECK(owned({{Solve, Accessor, 5}}, chain(), has_long_calls) == Counts{0, 0, 0, 5, 0});
}

TEST_CASE("a construct of OpenMP has its code elsewhere, so it is no inlined function", "[sample_owners]") {
    std::vector<vftr::vfd::Node> nodes = chain();
    nodes[Update].kind = NodeKind::OpenMp;
    CHECK(owned({{Solve, Update, 5}}, nodes) == Counts{0, 0, 5, 0, 0});
    CHECK(owned({{Solve, Accessor, 5}}, nodes) == Counts{0, 0, 5, 0, 0});
}
