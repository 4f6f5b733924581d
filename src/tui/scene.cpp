// SPDX-License-Identifier: BSD-3-Clause
#include "tui/scene.hpp"

#include <algorithm>

namespace vftr::tui {

Scene::Scene(const Source& source, const exports::Part& part, bool all_ranks, const Difference* difference)
    : source_(source), part_(source.subject(), part), all_ranks_(all_ranks), difference_(difference) {
    if (all_ranks && source.waits())
        waits_.emplace(source.subject(), *source.waits());
}

std::shared_ptr<const Grid> Scene::made(const exports::Table& table, const exports::TablePart& part) const {
    std::shared_ptr<const Grid>& known = grids_[&table];
    if (!known)
        known = std::make_shared<const Grid>(grid_of(table, part));
    return known;
}

std::shared_ptr<const Grid> Scene::grid(const exports::Table& table) const { return made(table, part_); }

std::shared_ptr<const Grid> Scene::grid_with_waits(const exports::Table& table) const {
    return made(table, waits_ ? *waits_ : part_);
}

const exports::CallGraph& Scene::call_graph() const {
    if (!graph_)
        graph_ = std::make_unique<exports::CallGraph>(exports::call_graph(profile()));
    return *graph_;
}

bool Scene::has_function(std::string_view name) const {
    return std::ranges::find(call_graph().functions, name, &exports::CallGraph::Function::name) !=
           call_graph().functions.end();
}

const std::string& Scene::function() const {
    if (function_.empty()) {
        const auto& functions = call_graph().functions;
        const auto most = std::ranges::max_element(functions, {}, &exports::CallGraph::Function::exclusive);
        if (most != functions.end())
            function_ = most->name;
    }
    return function_;
}

} // namespace vftr::tui
