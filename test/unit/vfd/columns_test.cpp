// SPDX-License-Identifier: BSD-3-Clause
//
// Columns say what the records said, and nothing that their bytes may say is more than an answer of "no".
#include "random_tree.hpp"

#include "vfd/columns.hpp"
#include "vfd/estimate_columns.hpp"
#include "vfd/node_columns.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace vftr;
using namespace vftr::test;

namespace {

// Any bits, but for parents before their children.
std::vector<vfd::Node> wild_tree(std::uint32_t count, std::uint32_t seed) {
    std::mt19937_64 random(seed);
    std::vector<vfd::Node> nodes(count);
    for (std::uint32_t id = 0; id < count; ++id) {
        vfd::Node& node = nodes[id];
        const auto bits = [&] { return random() >> random() % 64; };
        node.key = bits();
        node.inclusive = bits();
        node.exclusive = bits();
        node.folded = bits();
        node.calls = bits();
        node.countdown = static_cast<std::int32_t>(bits());
        node.module = static_cast<std::uint16_t>(bits());
        node.kind = id == 0 ? vfd::NodeKind::Root : static_cast<vfd::NodeKind>(1 + random() % 7);
        node.flags = static_cast<std::uint8_t>(bits());
        node.parent = id == 0 ? vfd::NoNode : static_cast<std::uint32_t>(random() % id);
        node.open = static_cast<std::uint32_t>(bits());
        node.ordinal = static_cast<std::uint32_t>(bits());
        node.children = static_cast<std::uint32_t>(bits());
    }
    return nodes;
}

// A chain, then one leaf below each of its nodes, from the innermost: steps of any size up.
std::vector<vfd::Node> comb(std::uint32_t depth) {
    std::vector<vfd::Node> nodes{ImageBuilder::root()};
    for (std::uint32_t i = 0; i < depth; ++i)
        nodes.push_back(ImageBuilder::function(i, 0x1000 + i));
    for (std::uint32_t i = depth; i-- > 0;)
        nodes.push_back(ImageBuilder::function(i, 0x9000));
    nodes.push_back(ImageBuilder::function(depth, 0x9000));
    return nodes;
}

bool same(const std::vector<vfd::Node>& a, const std::vector<vfd::Node>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(vfd::Node)) == 0;
}

bool come_back(const std::vector<vfd::Node>& nodes) {
    const auto again = vfd::nodes_of_columns(vfd::node_columns(view_of(nodes)), nodes.size());
    return again && same(*again, nodes);
}

} // namespace

TEST_CASE("nodes come back from columns") {
    CHECK(come_back({ImageBuilder::root()}));
    CHECK(come_back(comb(3)));
    CHECK(come_back(comb(100)));
    for (std::uint32_t count : {2, 10, 1000, 20000})
        CHECK(come_back(random_tree(count)));
    CHECK(come_back(random_tree(3000, 100)));
    for (std::uint32_t seed = 0; seed < 50; ++seed)
        CHECK(come_back(wild_tree(1 + seed * 7, seed)));
}

TEST_CASE("nodes that stand in several chunks come back, and none beyond the number of nodes") {
    const std::vector<vfd::Node> nodes = random_tree(100);
    vfd::ThreadView view = view_of(nodes);
    view.node_chunks = {std::span(nodes).first(64), std::span(nodes).subspan(64)};
    view.chunk_first = {0, 64};
    view.node_count = 90;
    const auto again = vfd::nodes_of_columns(vfd::node_columns(view), 90);
    REQUIRE(again);
    CHECK(again->size() == 90);
    CHECK(again->back().key == nodes[89].key);
}

TEST_CASE("estimates come back from columns") {
    std::vector<vfd::Estimate> estimates = random_estimates(5000, 700);
    estimates[3].own = -0.1;
    estimates[4].variance = 1e299;
    estimates[5].count_only_calls = ~std::uint64_t{0};
    const auto again = vfd::estimates_of_columns(vfd::estimate_columns(estimates), estimates.size());
    REQUIRE(again);
    REQUIRE(again->size() == estimates.size());
    CHECK(std::memcmp(again->data(), estimates.data(), estimates.size() * sizeof(vfd::Estimate)) == 0);
    CHECK(vfd::estimates_of_columns(vfd::estimate_columns({}), 0));
}

TEST_CASE("columns that are cut off or of another number of records are refused") {
    const std::vector<vfd::Node> nodes = random_tree(50, 30);
    const Bytes columns = vfd::node_columns(view_of(nodes));
    for (std::size_t size = 0; size < columns.size(); ++size)
        CHECK_FALSE(vfd::nodes_of_columns(std::span(columns).first(size), nodes.size()));
    for (std::uint64_t count : {std::uint64_t{0}, std::uint64_t{49}, std::uint64_t{51}, std::uint64_t{1} << 31,
                                std::uint64_t{vfd::NoNode}, ~std::uint64_t{0}})
        CHECK_FALSE(vfd::nodes_of_columns(columns, count));
    const std::vector<vfd::Estimate> estimates = random_estimates(500, 50);
    const Bytes others = vfd::estimate_columns(estimates);
    for (std::size_t size = 0; size < others.size(); ++size)
        CHECK_FALSE(vfd::estimates_of_columns(std::span(others).first(size), estimates.size()));
    for (std::uint64_t count : {std::uint64_t{0}, std::uint64_t{49}, std::uint64_t{51}, ~std::uint64_t{0}})
        CHECK_FALSE(vfd::estimates_of_columns(others, count));
}

TEST_CASE("damaged columns are refused, or are nodes whose parents come before them", "[damaged]") {
    std::mt19937 random(20261123);
    const std::vector<vfd::Node> nodes = random_tree(60, 20);
    const Bytes sound = vfd::node_columns(view_of(nodes));
    unsigned refused = 0, read = 0;
    for (int round = 0; round < 20000; ++round) {
        Bytes bytes = sound;
        for (unsigned n = random() % 3 + 1; n > 0; --n)
            bytes[random() % bytes.size()] = static_cast<std::byte>(random());
        const auto again = vfd::nodes_of_columns(bytes, nodes.size());
        refused += !again;
        read += again.has_value();
        for (std::uint32_t id = 0; again && id < again->size(); ++id)
            if (id == 0 ? (*again)[id].parent != vfd::NoNode : (*again)[id].parent >= id)
                FAIL("the parent of node " << id);
    }
    CHECK(refused > 1000);
    CHECK(read > 1000);
}
