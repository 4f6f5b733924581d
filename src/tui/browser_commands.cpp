// SPDX-License-Identifier: BSD-3-Clause
//
// What each command does.
#include "tui/browser.hpp"

#include "base/foreign_text.hpp"

#include <exception>
#include <utility>

namespace vftr::tui {
namespace {

constexpr std::ptrdiff_t ScrollStep = 8;

} // namespace

bool Browser::obey_in_box(Command command) {
    switch (command) {
    case Command::Up:
        box_->move(-1);
        break;
    case Command::Down:
        box_->move(1);
        break;
    case Command::PageUp:
        box_->move(-static_cast<std::ptrdiff_t>(box_->page()));
        break;
    case Command::PageDown:
        box_->move(static_cast<std::ptrdiff_t>(box_->page()));
        break;
    case Command::First:
        box_->set_cursor(0);
        break;
    case Command::Last:
        box_->move_to_end();
        break;
    case Command::Left:
    case Command::ScrollLeft:
        box_->scroll(-ScrollStep);
        break;
    case Command::Right:
    case Command::ScrollRight:
        box_->scroll(ScrollStep);
        break;
    case Command::Details: // the space bar
        if (box_->only_read()) {
            box_.reset();
            break;
        }
        [[fallthrough]];
    case Command::Follow:
        if (box_->choose())
            box_.reset();
        break;
    case Command::Help:
    case Command::Back:
    case Command::Close:
    case Command::Quit:
        box_.reset();
        break;
    case Command::Redraw:
        return false;
    default:
        break;
    }
    return true;
}

bool Browser::obey_in_view(Command command) {
    TableView& shown = view();
    const auto page = static_cast<std::ptrdiff_t>(shown.page());
    switch (command) {
    case Command::Up:
        shown.move(-1);
        return true;
    case Command::Down:
        shown.move(1);
        return true;
    case Command::PageUp:
        shown.move(-page);
        return true;
    case Command::PageDown:
        shown.move(page);
        return true;
    case Command::First:
        shown.move_to(0);
        return true;
    case Command::Last:
        shown.move_to(shown.grid().rows());
        return true;
    case Command::Left:
        shown.is_tree() ? shown.close_or_leave() : shown.scroll(-ScrollStep);
        return true;
    case Command::Right:
        shown.is_tree() ? shown.open() : shown.scroll(ScrollStep);
        return true;
    case Command::ScrollLeft:
        shown.scroll(-ScrollStep);
        return true;
    case Command::ScrollRight:
        shown.scroll(ScrollStep);
        return true;
    case Command::OpenAll:
    case Command::CloseAll:
        shown.set_all_open(command == Command::OpenAll);
        return true;
    case Command::Reverse:
        shown.sort({shown.sorting().column, !shown.sorting().descending});
        return true;
    default:
        return false;
    }
}

void Browser::obey(Command command, Key key) {
    if (box_ && obey_in_box(command))
        return;
    if (obey_in_view(command))
        return;
    switch (command) {
    case Command::Follow:
        return follow();
    case Command::Callers:
        return show_callers();
    case Command::Back:
        return go_back();
    case Command::Details:
        return show_details();
    case Command::NextView:
        view_ = (view_ + 1) % specs_.size();
        return;
    case Command::PreviousView:
        view_ = (view_ + specs_.size() - 1) % specs_.size();
        return;
    case Command::View:
        if (const std::size_t wanted = key - '1'; wanted < specs_.size())
            view_ = wanted;
        return;
    case Command::Search:
        return ask_for_search();
    case Command::NextMatch:
        return search(false);
    case Command::PreviousMatch:
        return search(true);
    case Command::ShowOnly:
        return ask_for_rows();
    case Command::Sort:
        return choose_sorting();
    case Command::Columns:
        return choose_columns();
    case Command::Units:
        times_ = times_ == Times::Seconds ? Times::Nanoseconds : Times::Seconds;
        return;
    case Command::Profile:
        return choose_of_profiles();
    case Command::Export:
        return ask_for_file();
    case Command::Hold:
        held_ = !held_;
        return;
    case Command::Refresh:
        return refresh();
    case Command::Redraw:
        redraws_ = true;
        return;
    case Command::Help:
        return show_help();
    case Command::Quit:
        quits_ = true;
        return;
    default:
        return;
    }
}

void Browser::take(Key key) {
    message_.clear();
    warning_ = false;
    try {
        if (prompt_) {
            // It may be replaced by what it does.
            Prompt prompt = std::move(*prompt_);
            prompt_.reset();
            if (!prompt.take(key))
                prompt_ = std::move(prompt);
            return;
        }
        if (const auto command = command_of(key))
            obey(*command, key);
    } catch (const std::exception& error) {
        warn(base::foreign_text(error.what()));
    }
}

} // namespace vftr::tui
