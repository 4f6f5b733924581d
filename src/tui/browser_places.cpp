// SPDX-License-Identifier: BSD-3-Clause
//
// From view to view: what Enter leads to, and back.
#include "tui/browser.hpp"

#include <algorithm>

namespace vftr::tui {
namespace {

constexpr std::size_t MostVisits = 100;

} // namespace

void Browser::show(const ViewSpec& wanted) {
    const auto found = std::ranges::find(specs_, &wanted);
    if (found == specs_.end())
        return;
    view_ = static_cast<std::size_t>(found - specs_.begin());
}

// Shows another view so that Back leads here again.
void Browser::visit(const ViewSpec& wanted) {
    if (visits_.size() == MostVisits)
        visits_.erase(visits_.begin());
    visits_.push_back({&spec(), scene_->chosen_function()});
    show(wanted);
}

void Browser::go_back() {
    if (visits_.empty())
        return;
    const Visit last = visits_.back();
    visits_.pop_back();
    if (scene_->chosen_function() != last.function) {
        scene_->set_function(last.function);
        views_.erase(&view_callers);
    }
    show(*last.spec);
}

void Browser::show_callers() {
    const std::string function = view().cell("function");
    if (function.empty())
        return warn("This row is about no function");
    // A row of two runs may be of the other one.
    if (shows_difference() && !scene_->has_function(function))
        return warn("This run has no such function; p chooses the other run");
    visit(view_callers);
    scene_->set_function(function);
    views_.erase(&view_callers);
    TableView& callers = view();
    const auto relation = callers.grid().find("relation");
    for (std::size_t row = 0; relation && row < callers.grid().rows(); ++row)
        if (callers.grid().text(row, *relation) == "function")
            callers.move_to_row(row);
}

void Browser::show_path() {
    const TableView& from = view();
    std::string path = from.cell("path");
    if (path.empty())
        path = from.cell("id");
    if (path.empty())
        return warn("This row is about no call path");
    visit(view_tree);
    TableView& tree = view();
    const auto id = tree.grid().find("id");
    for (std::size_t row = 0; id && row < tree.grid().rows(); ++row)
        if (tree.grid().exact(row, *id) == path)
            return tree.move_to_row(row);
}

void Browser::follow() {
    if (view().is_tree())
        return view().toggle();
    switch (spec().leads) {
    case ViewSpec::Leads::Nowhere:
        return;
    case ViewSpec::Leads::ToFunction:
        return show_callers();
    case ViewSpec::Leads::ToPath:
        return show_path();
    case ViewSpec::Leads::ToRank:
        break;
    }
    const std::string rank = view().cell("rank");
    for (const Choice& choice : choices())
        if (choice.rank && std::to_string(*choice.rank) == rank)
            return choose_profile(choice);
}

void Browser::search(bool backwards) {
    if (view().searched().empty())
        return ask_for_search();
    if (!view().search(view().searched(), backwards, false))
        warn("\"" + view().searched() + "\" is in no row");
}

} // namespace vftr::tui
