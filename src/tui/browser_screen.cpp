// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of the screen, and what a click on them means.
#include "tui/browser.hpp"

#include "base/foreign_text.hpp"
#include "export/kind_name.hpp"
#include "report/root_note.hpp"
#include "tui/text_cells.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace vftr::tui {
namespace {

constexpr std::size_t LinesAbove = 2, LinesBelow = 1; // heading and tabs; status
constexpr std::size_t LinesOfName = 2, LeastRows = 12;
constexpr std::ptrdiff_t WheelStep = 3;

// The last one ends with a mark where it is too long.
std::vector<Line> wrapped(const std::string& text, std::size_t columns) {
    Line whole;
    whole.add(text);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < LinesOfName; ++i) {
        const std::string beginning = text_of(window(whole, i * columns, i + 1 == LinesOfName ? columns : cells(text)));
        lines.emplace_back().add(i + 1 == LinesOfName ? beginning : prefix(beginning, columns));
    }
    return lines;
}

} // namespace

Line Browser::heading(std::size_t columns) const {
    Line line;
    line.add(base::foreign_text(shown_source().subject().application), Style::Title);
    line.add("  " + (shows_difference() ? base::foreign_text(source_.difference()->answer) : choice_.title));
    if (&spec() == &view_callers)
        line.add("  of " + base::foreign_text(scene_->function()));
    const std::string state = !source_.may_change() ? "" : held_ ? "held" : "live";
    const std::size_t room = columns - std::min(columns, state.size() + 1);
    line = window(line, 0, room);
    if (!state.empty()) {
        line.add(std::string(columns - std::min(columns, cells(line) + state.size()), ' '));
        line.add(state, Style::Title);
    }
    return window(line, 0, columns);
}

// Where they need more room than there is, the first ones give way to that which is open.
Line Browser::tabs(std::size_t columns) {
    const auto text = [&](std::size_t i) {
        return (i < 9 ? std::to_string(i + 1) + ' ' : std::string()) + std::string(specs_[i]->title);
    };
    const auto width = [&](std::size_t from, std::size_t to) {
        std::size_t sum = from == 0 ? 0 : 2;
        for (std::size_t i = from; i <= to; ++i)
            sum += cells(text(i)) + 3;
        return sum;
    };
    for (first_tab_ = 0; first_tab_ < view_ && width(first_tab_, view_) > columns;)
        ++first_tab_;
    Line line;
    tab_ends_.assign(specs_.size(), 0);
    line.add(first_tab_ == 0 ? "" : "< ");
    for (std::size_t i = first_tab_; i < specs_.size(); ++i) {
        line.add(' ' + text(i) + ' ', i == view_ ? Style::OpenTab : Style::Tab);
        line.add(" ");
        tab_ends_[i] = cells(line);
    }
    return window(line, 0, columns);
}

Line Browser::status(std::size_t columns) {
    if (prompt_)
        return prompt_->line(columns);
    Line line;
    if (!message_.empty())
        line.add(message_, warning_ ? Style::Warning : Style::Title);
    else {
        line.add(view().status(times_));
        if (view().cell("kind") == exports::kind_name(vfd::NodeKind::Root))
            line.add("; " + std::string(report::RootNote.substr(0, report::RootNote.find(':'))));
    }
    const std::string keys = "  ? help  q quit";
    if (cells(line) + cells(keys) <= columns)
        line.add(std::string(columns - cells(line) - cells(keys), ' ') + keys);
    return window(line, 0, columns);
}

std::vector<Line> Browser::lines(Size size) {
    size_ = size;
    std::vector<Line> all;
    if (size.rows > LinesAbove + LinesBelow) {
        all.push_back(heading(size.columns));
        all.push_back(tabs(size.columns));
    }
    Size room{size.rows - std::min(size.rows, all.size() + LinesBelow), size.columns};
    try {
        // Names that are too long are shown in full below the rows, on lines that stay there while the cursor moves.
        const auto name = box_ || room.rows < LeastRows ? std::nullopt : view().long_name(size.columns, times_);
        if (name)
            room.rows -= LinesOfName;
        for (Line& line : box_ ? box_->lines(room) : view().lines(room, times_))
            all.push_back(std::move(line));
        if (name) {
            all.resize(size.rows - LinesBelow - LinesOfName);
            for (Line& line : wrapped(*name, size.columns))
                all.push_back(std::move(line));
        }
    } catch (const std::exception& error) { // of a file that is read now
        warn(base::foreign_text(error.what()));
        views_.erase(&spec());
    }
    all.resize(size.rows - std::min<std::size_t>(size.rows, LinesBelow));
    if (size.rows != 0)
        all.push_back(status(size.columns));
    return all;
}

void Browser::take(Click click, std::size_t row, std::size_t column) {
    if (prompt_)
        return;
    if (click != Click::Press) {
        const std::ptrdiff_t step = click == Click::WheelUp ? -WheelStep : WheelStep;
        box_ ? box_->move(step) : view().move(step);
        return;
    }
    if (box_ || row >= size_.rows - LinesBelow)
        return;
    if (row == 1) {
        for (std::size_t i = first_tab_; i < tab_ends_.size(); ++i)
            if (column < tab_ends_[i]) {
                view_ = i;
                return;
            }
        return;
    }
    if (row == LinesAbove)
        view().click_title(column);
    else if (row > LinesAbove)
        view().click(row - LinesAbove);
}

} // namespace vftr::tui
