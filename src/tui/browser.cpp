// SPDX-License-Identifier: BSD-3-Clause
#include "tui/browser.hpp"

#include "base/foreign_text.hpp"
#include "base/replaced_file.hpp"
#include "tui/text_cells.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <sys/stat.h>
#include <utility>

namespace vftr::tui {
namespace {

constexpr std::size_t LinesAbove = 2, LinesBelow = 1; // heading and tabs; status
constexpr std::ptrdiff_t ScrollStep = 8, WheelStep = 3;
constexpr std::size_t MostVisits = 100;
constexpr std::size_t LinesOfName = 2, LeastRows = 12;

// The last one ends with a mark where it is too long.
std::vector<Line> wrapped(const std::string& text, std::size_t columns) {
    Line whole;
    whole.add(text);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < LinesOfName; ++i) {
        Line rest = window(whole, i * columns, i + 1 == LinesOfName ? columns : cells(text));
        std::string beginning;
        for (const Span& span : rest.spans)
            beginning += span.text;
        lines.emplace_back().add(i + 1 == LinesOfName ? beginning : prefix(beginning, columns));
    }
    return lines;
}

} // namespace

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

std::vector<Browser::Choice> Browser::choices() const {
    std::vector<Choice> all;
    const std::vector<exports::Part>& parts = source_.subject().parts;
    for (std::size_t i = 0; i < parts.size(); ++i)
        all.push_back({base::foreign_text(parts[i].title), i});
    for (const std::int32_t rank : source_.ranks())
        all.push_back({"rank " + std::to_string(rank), 0, rank});
    return all;
}

void Browser::make_scene() {
    const std::string function = scene_ ? scene_->chosen_function() : "";
    scene_.reset();
    if (choice_.rank)
        of_rank_ = source_.part_of_rank(*choice_.rank);
    else
        of_rank_.reset();
    const std::vector<exports::Part>& parts = source_.subject().parts;
    const exports::Part& part = of_rank_ ? *of_rank_ : parts[std::min(choice_.part, parts.size() - 1)];
    scene_ = std::make_unique<Scene>(source_, part, !of_rank_ && parts.size() == 1);
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
        const auto place = std::ranges::find_if(
            all, [&](const Choice& each) { return each.rank == choice_.rank && each.part == choice_.part; });
        choice_ = same != all.end() ? *same : place != all.end() ? *place : all.front();
        make_scene();
        for (auto& [spec, view] : views_)
            old_views_[spec] = std::move(view);
        views_.clear();
        find_views(shown);
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
    for (auto& [spec, view] : views_)
        old_views_[spec] = std::move(view);
    views_.clear();
    find_views(shown);
}

void Browser::warn(std::string text) {
    message_ = std::move(text);
    warning_ = true;
}

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

void Browser::ask_for_search() {
    prompt_.emplace("Search: ", "", [this](const std::string& text) {
        const std::string wanted = text.empty() ? view().searched() : text;
        if (!view().search(wanted, false, !text.empty()) && !wanted.empty())
            warn("\"" + wanted + "\" is in no row");
    });
}

void Browser::ask_for_rows() {
    prompt_.emplace("Only rows with: ", view().shown_only(),
                    [this](const std::string& text) { view().show_only(text); });
}

void Browser::ask_for_file() {
    prompt_.emplace("Write to the file: ", std::string(spec().name) + ".csv", [this](const std::string& path) {
        if (!path.empty())
            write(path);
    });
}

void Browser::write(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) // which a file must not take the place of
        return warn(base::foreign_text(path) + " is there and is no regular file");
    const std::string text = path.ends_with(".csv") ? view().csv() : view().text(times_);
    if (const int error = base::replace_file(path, text.data(), text.size()); error != 0)
        return warn("Cannot write " + base::foreign_text(path) + ": " + std::strerror(error));
    message_ = "What is shown was written to " + base::foreign_text(path);
}

void Browser::choose_sorting() {
    const Grid& grid = view().grid();
    std::vector<ListBox::Entry> entries{{"the order of the table", !view().sorting().column}};
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < grid.columns().size(); ++column) {
        if (grid.columns()[column].kind == Grid::Kind::Empty)
            continue;
        columns.push_back(column);
        entries.push_back({title_of(grid.columns()[column].name, times_), view().sorting().column == column});
    }
    box_.emplace("Sort by (Enter chooses)", std::move(entries), [this, columns](std::size_t entry, ListBox&) {
        if (entry == 0) {
            view().sort({std::nullopt, true});
            return ListBox::After::Closes;
        }
        const std::size_t column = columns[entry - 1];
        view().sort({column, view().grid().columns()[column].kind != Grid::Kind::Text});
        return ListBox::After::Closes;
    });
}

void Browser::choose_columns() {
    const Grid& grid = view().grid();
    std::vector<ListBox::Entry> entries;
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < grid.columns().size(); ++column) {
        if (grid.columns()[column].kind == Grid::Kind::Empty)
            continue;
        columns.push_back(column);
        entries.push_back({title_of(grid.columns()[column].name, times_),
                           std::ranges::find(view().columns(), column) != view().columns().end()});
    }
    box_.emplace("Columns (Enter shows or hides, Esc closes)", std::move(entries),
                 [this, columns](std::size_t entry, ListBox& box) {
                     view().show_column(columns[entry], !box.marked(entry));
                     box.mark(entry, std::ranges::find(view().columns(), columns[entry]) != view().columns().end());
                     return ListBox::After::StaysOpen;
                 });
}

void Browser::choose_of_profiles() {
    const std::vector<Choice> all = choices();
    std::vector<ListBox::Entry> entries;
    std::size_t current = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool chosen = all[i].rank == choice_.rank && all[i].part == choice_.part;
        entries.push_back({all[i].title, chosen});
        if (chosen)
            current = i;
    }
    box_.emplace("Profiles (Enter chooses)", std::move(entries), [this, all](std::size_t entry, ListBox&) {
        choose_profile(all[entry]);
        return ListBox::After::Closes;
    });
    box_->set_cursor(current);
}

// Under the names and with the values that files have.
void Browser::show_details() {
    const TableView& shown = view();
    const auto row = shown.row();
    if (!row)
        return;
    std::vector<ListBox::Entry> entries;
    std::size_t width = 0;
    for (const Grid::Column& column : shown.grid().columns())
        width = std::max(width, exports::file_title(column.name).size());
    for (std::size_t column = 0; column < shown.grid().columns().size(); ++column)
        if (shown.grid().there(*row, column))
            entries.push_back({left_aligned(exports::file_title(shown.grid().columns()[column].name), width) + "  " +
                               shown.grid().exact(*row, column)});
    box_.emplace("The row in full (Esc closes)", std::move(entries));
}

void Browser::show_help() {
    std::vector<ListBox::Entry> entries;
    std::vector<std::string> names;
    std::size_t width = 0;
    for (const Binding& binding : bindings()) {
        std::string& text = names.emplace_back();
        for (const Key key : binding.keys)
            text += (text.empty() ? "" : " ") + name_of(key);
        width = std::max(width, text.size());
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        entries.push_back({left_aligned(names[i], width) + "  " + std::string(bindings()[i].help)});
    entries.push_back({""});
    for (const ViewSpec* each : specs_)
        entries.push_back({left_aligned(each->title, width) + "  " + std::string(each->help)});
    entries.push_back({""});
    entries.push_back({left_aligned("Mouse", width) + "  a click chooses a view, a row or (on a title) the order"});
    box_.emplace("Keys and views (Esc closes)", std::move(entries));
}

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

Line Browser::heading(std::size_t columns) const {
    Line line;
    line.add(base::foreign_text(source_.subject().application), Style::Title);
    line.add("  " + choice_.title);
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
    else
        line.add(view().status(times_));
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

} // namespace vftr::tui
