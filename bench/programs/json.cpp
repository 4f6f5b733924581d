// SPDX-License-Identifier: BSD-3-Clause
//
// Makes, prints, parses and compares JSON, by a library of templates.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
using nlohmann::json;
static json make(int depth) {
    json node = {{"name", "node " + std::to_string(depth)}, {"value", depth * 1.5}, {"list", json::array()}};
    for (int i = 0; i < 6; ++i)
        node["list"].push_back(i * depth);
    if (depth > 0)
        for (const char* child : {"left", "right", "other"})
            node[child] = make(depth - 1);
    return node;
}
static double sum(const json& node) {
    double total = 0;
    if (node.is_number())
        return node.get<double>();
    for (const auto& part : node)
        if (part.is_structured() || part.is_number())
            total += sum(part);
    return total;
}
int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
    const json tree = make(7);
    double total = 0;
    for (int i = 0; i < rounds; ++i) {
        const std::string text = tree.dump(1);
        const json again = json::parse(text);
        total += sum(again) + (again == tree);
    }
    std::printf("%.1f\n", total);
}
