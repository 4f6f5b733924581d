// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/profile.hpp"
#include "profile_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace vftr::analysis;
using namespace vftr::test;

TEST_CASE("stack ids go breadth first, siblings by name") {
    Profile profile = one_rank(0);
    for (const char* path :
         {"z<main<init", "a<z<main<init", "b<main<init", "c<b<main<init", "a<b<main<init", "exit<init"})
        add(profile, path, 1, 1, 1);
    canonicalise(profile);
    std::vector<std::string> paths;
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i)
        paths.push_back(call_path(profile, i));
    CHECK(paths == std::vector<std::string>{"init", "exit<init", "main<init", "b<main<init", "z<main<init",
                                            "a<b<main<init", "c<b<main<init", "a<z<main<init"});
    CHECK(std::is_sorted(profile.names.begin(), profile.names.end()));
    for (std::size_t i = 1; i < profile.nodes.size(); ++i)
        CHECK(profile.nodes[i].parent < i);
}

TEST_CASE("names that no path has disappear") {
    Profile profile = one_rank(0);
    profile.names.insert(profile.names.begin(), "unused");
    profile.nodes[0].name = 1;
    add(profile, "f<init", 1, 1, 1);
    canonicalise(profile);
    CHECK(profile.names == std::vector<std::string>{"f", "init"});
    CHECK(call_path(profile, 1) == "f<init");
}

TEST_CASE("a path 5000 calls deep and 300000 paths are no trouble") {
    Profile deep = one_rank(0);
    auto append = [](Profile& profile, std::uint32_t parent, std::uint32_t name) {
        PathNode node;
        node.parent = parent;
        node.name = name;
        node.ranks = 1;
        node.calls = 1;
        profile.nodes.push_back(node);
    };
    deep.names.insert(deep.names.end(), {"even", "odd"});
    for (std::uint32_t i = 0; i < 5000; ++i)
        append(deep, i, 1 + i % 2);
    Profile other = deep;
    other.first_rank = 1;
    merge(deep, other);
    canonicalise(deep);
    CHECK(deep.nodes.size() == 5001);
    CHECK(call_path(deep, 5000).size() == 2500 * 5 + 2500 * 4 + 4);

    Profile wide = one_rank(0);
    for (int i = 0; i < 1000; ++i)
        wide.names.push_back("f" + std::to_string(i));
    for (std::uint32_t i = 1; i <= 300000; ++i)
        append(wide, (i - 1) / 1000, 1 + (i * 7919) % 1000);
    Profile second = wide;
    second.first_rank = 1;
    merge(wide, second);
    canonicalise(wide);
    CHECK(wide.nodes.size() == 300001);
    CHECK(std::is_sorted(wide.nodes.begin() + 1, wide.nodes.end(), [](const PathNode& a, const PathNode& b) {
        return std::pair(a.parent, a.name) < std::pair(b.parent, b.name);
    }));
}
