// SPDX-License-Identifier: BSD-3-Clause
#include "export/call_graph.hpp"

#include "../analysis/profile_builder.hpp"
#include "export/depth_first.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

const CallGraph::Function& function(const CallGraph& graph, const std::string& name) {
    for (const CallGraph::Function& function : graph.functions)
        if (function.name == name)
            return function;
    FAIL("no function " + name);
    return graph.functions.front();
}

CallGraph::Calls calls(const CallGraph& graph, const std::string& from, const std::string& to) {
    for (const auto& [edge, calls] : graph.calls)
        if (graph.functions[edge.first].name == from && graph.functions[edge.second].name == to)
            return calls;
    FAIL("no call from " + from + " to " + to);
    return {};
}

} // namespace

TEST_CASE("a call tree is walked with each path before what it calls", "[export]") {
    analysis::Profile profile = one_rank(0);
    add(profile, "a<init", 1, 1, 4);
    add(profile, "b<init", 1, 1, 1);
    add(profile, "c<a<init", 1, 1, 3);
    add(profile, "d<c<a<init", 1, 1, 1);
    std::string text;
    for (const Visit visit : depth_first(profile))
        text += std::to_string(visit.depth) + profile.names[profile.nodes[visit.node].name] + ' ';
    CHECK(text == "0init 1a 2c 3d 1b ");
    CHECK(depth_first(analysis::Profile()).empty());
}

TEST_CASE("a call graph has functions by name, and recursion counts once", "[export]") {
    analysis::Profile profile = one_rank(0);
    add(profile, "f<init", 2, 10, 100);
    add(profile, "g<f<init", 3, 20, 90);
    add(profile, "f<g<f<init", 4, 30, 70);
    add(profile, "g<f<g<f<init", 5, 40, 40);
    add(profile, "g<init", 1, 5, 5);
    const CallGraph graph = call_graph(profile);
    CHECK(graph.functions.size() == 3);
    CHECK(function(graph, "f").calls == 6);
    CHECK(function(graph, "f").exclusive == 40);
    CHECK(function(graph, "f").inclusive == 100);
    CHECK(function(graph, "g").calls == 9);
    CHECK(function(graph, "g").exclusive == 65);
    CHECK(function(graph, "g").inclusive == 95);
    CHECK(calls(graph, "f", "g").calls == 8);
    CHECK(calls(graph, "f", "g").inclusive == 90);
    CHECK(calls(graph, "g", "f").calls == 4);
    CHECK(calls(graph, "g", "f").inclusive == 70);
    CHECK(calls(graph, "init", "g").inclusive == 5);
}

TEST_CASE("a call tree of any depth is walked", "[export]") {
    analysis::Profile profile = one_rank(0);
    constexpr std::uint32_t Deep = 200000;
    for (std::uint32_t i = 1; i < Deep; ++i) {
        analysis::PathNode node = profile.nodes[0];
        node.parent = i - 1;
        profile.nodes.push_back(node);
    }
    CHECK(depth_first(profile).back().depth == Deep - 1);
    CHECK(call_graph(profile).functions.size() == 1);
}
