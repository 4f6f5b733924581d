// SPDX-License-Identifier: BSD-3-Clause
#include "tui/browser.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

namespace vftr::tui {

Browser::Browser(Source& source, const std::string& begin) : source_(source), choice_(choices().front()) {
    make_scene();
    const ViewSpec* wanted = nullptr;
    std::string known;
    for (const ViewSpec* each : view_specs()) {
        if (each->name == begin)
            wanted = each;
        if (each->there(*scene_))
            known += (known.empty() ? "" : ", ") + std::string(each->name);
    }
    if (!begin.empty() && (!wanted || !wanted->there(*scene_)))
        throw std::runtime_error("there is no view " + begin + " of these files; there are: " + known);
    find_views(wanted);
}

void Browser::add_choices(const Source& source, const std::string& run, std::vector<Choice>& all) const {
    const bool of_base = &source != &source_;
    const std::vector<exports::Part>& parts = source.subject().parts;
    for (std::size_t i = 0; i < parts.size(); ++i)
        all.push_back({run + base::foreign_text(parts[i].title), i, std::nullopt, of_base});
    for (const std::int32_t rank : source.ranks())
        all.push_back({run + "rank " + std::to_string(rank), 0, rank, of_base});
}

std::vector<Browser::Choice> Browser::choices() const {
    std::vector<Choice> all;
    add_choices(source_, source_.base() ? "new: " : "", all);
    if (source_.base())
        add_choices(*source_.base(), "base: ", all);
    return all;
}

void Browser::make_scene() {
    const std::string function = scene_ ? scene_->chosen_function() : "";
    scene_.reset();
    const Source& source = shown_source();
    if (choice_.rank)
        of_rank_ = source.part_of_rank(*choice_.rank);
    else
        of_rank_.reset();
    const std::vector<exports::Part>& parts = source.subject().parts;
    const exports::Part& part = of_rank_ ? *of_rank_ : parts[std::min(choice_.part, parts.size() - 1)];
    scene_ = std::make_unique<Scene>(source, part, !of_rank_ && parts.size() == 1, source_.difference());
    scene_->set_function(function);
}

// Keeps the view that is shown where it is still there.
void Browser::find_views(const ViewSpec* wanted) {
    specs_.clear();
    for (const ViewSpec* each : view_specs())
        if (each->there(*scene_))
            specs_.push_back(each);
    const auto found = std::ranges::find(specs_, wanted);
    view_ = found == specs_.end() ? 0 : static_cast<std::size_t>(found - specs_.begin());
}

// For another scene; what was looked at in the views is taken over when they are shown again.
void Browser::renew_views(const ViewSpec* shown) {
    for (auto& [spec, view] : views_)
        old_views_[spec] = std::move(view);
    views_.clear();
    find_views(shown);
}

TableView& Browser::view() {
    std::unique_ptr<TableView>& known = views_[&spec()];
    if (!known) {
        TableView::Shorten shorten;
        if (spec().name_column == "function")
            shorten = [scene = scene_.get()](std::string_view name, std::size_t limit) {
                return scene->part().names.fitted(name, limit);
            };
        known = std::make_unique<TableView>(spec(), spec().grid(*scene_), std::move(shorten));
        if (const auto old = old_views_.find(&spec()); old != old_views_.end()) {
            known->adopt(*old->second);
            old_views_.erase(old);
        }
    }
    return *known;
}

void Browser::refresh() {
    const ViewSpec* const shown = &spec();
    try {
        const std::string title = choice_.title;
        // The tables of the old scene stay until the new ones have taken over what was looked at.
        source_.read();
        const std::vector<Choice> all = choices();
        const auto same = std::ranges::find(all, title, &Choice::title);
        const auto place = std::ranges::find_if(all, [&](const Choice& each) { return each.is_at(choice_); });
        choice_ = same != all.end() ? *same : place != all.end() ? *place : all.front();
        make_scene();
        renew_views(shown);
        if (warning_)
            message_.clear();
    } catch (const std::exception& error) {
        warn(base::foreign_text(error.what()));
    }
}

void Browser::choose_profile(const Choice& choice) {
    const ViewSpec* const shown = &spec();
    const Choice before = std::exchange(choice_, choice);
    try {
        make_scene();
    } catch (const std::exception& error) {
        choice_ = before;
        make_scene();
        warn(base::foreign_text(error.what()));
    }
    renew_views(shown);
}

void Browser::warn(std::string text) {
    message_ = std::move(text);
    warning_ = true;
}

} // namespace vftr::tui
