// SPDX-License-Identifier: BSD-3-Clause
#include "export/reversed.hpp"

#include "../analysis/profile_builder.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

// "main<leaf: 30" of each path, with its whole time.
std::string text_of(const analysis::Profile& profile) {
    std::string text;
    for (std::uint32_t node = 1; node < profile.nodes.size(); ++node)
        text += call_path(profile, node) + ": " + std::to_string(profile.nodes[node].inclusive) + "\n";
    return text;
}

analysis::Profile leaf_of_two() {
    analysis::Profile profile = one_rank(0);
    add(profile, "a<init", 1, 10, 40);
    add(profile, "b<init", 1, 0, 70);
    add(profile, "leaf<a<init", 3, 30, 30);
    add(profile, "leaf<b<init", 7, 70, 70);
    return profile;
}

} // namespace

TEST_CASE("a function has its callers below it, with the time that they cause", "[export]") {
    const analysis::Profile turned = reversed(leaf_of_two(), 0);
    CHECK(text_of(turned) == "a<all functions: 10\nleaf<all functions: 100\ninit<a<all functions: 10\n"
                             "a<leaf<all functions: 30\nb<leaf<all functions: 70\n"
                             "init<a<leaf<all functions: 30\ninit<b<leaf<all functions: 70\n");
    CHECK(turned.nodes[2].calls == 10);
    CHECK(turned.nodes[0].inclusive == 110);
    std::uint64_t ends = 0;
    for (const analysis::PathNode& node : turned.nodes)
        ends += node.exclusive;
    CHECK(ends == 110);
}

TEST_CASE("what is small is not divided by its callers", "[export]") {
    CHECK(text_of(reversed(leaf_of_two(), 50)) ==
          "a<all functions: 10\nleaf<all functions: 100\na<leaf<all functions: 30\nb<leaf<all functions: 70\n"
          "init<b<leaf<all functions: 70\n");
}
