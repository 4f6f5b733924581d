// SPDX-License-Identifier: BSD-3-Clause
//
// The whole of what the user sees and does, without a terminal: it takes keys and clicks, and gives the lines of the
// screen. From top to bottom: what is shown, the views (tabs), the view or a box over it, a line of status or a prompt.
#pragma once

#include "tui/keys.hpp"
#include "tui/line.hpp"
#include "tui/list_box.hpp"
#include "tui/prompt.hpp"
#include "tui/scene.hpp"
#include "tui/table_view.hpp"
#include "tui/view_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vftr::tui {

enum class Click { Press, WheelUp, WheelDown };

class Browser {
public:
    // It outlives the browser. `begin` is the name of the first view; empty: the first one that there is. Throws
    // std::runtime_error where there is no such view.
    explicit Browser(Source& source, const std::string& begin = "");

    std::vector<Line> lines(Size size);
    void take(Key key);
    void take(Click click, std::size_t row, std::size_t column); // of the screen, from 0
    // Reads the files again, where that is not held. What goes wrong is shown.
    void refresh();

    bool wants_to_quit() const { return quits_; }
    bool follows() const { return source_.may_change() && !held_; }
    bool take_redraw() { return std::exchange(redraws_, false); } // once for each time that it was asked for

private:
    // A profile that can be looked at: a part of the subject, or a rank.
    struct Choice {
        std::string title;
        std::size_t part = 0;
        std::optional<std::int32_t> rank{};
        bool of_base = false;

        bool is_at(const Choice& other) const {
            return part == other.part && rank == other.rank && of_base == other.of_base;
        }
    };
    struct Visit {
        const ViewSpec* spec;
        std::string function; // of the view of callers
    };

    const ViewSpec& spec() const { return *specs_[view_]; }
    // That of the run which is shown.
    const Source& shown_source() const { return choice_.of_base && source_.base() ? *source_.base() : source_; }
    void add_choices(const Source& source, const std::string& run, std::vector<Choice>& all) const;
    bool shows_difference() const { return &spec() == &view_difference || &spec() == &view_changed_paths; }
    TableView& view();
    void make_scene();
    void find_views(const ViewSpec* wanted);
    void renew_views(const ViewSpec* shown);
    std::vector<Choice> choices() const;
    void choose_profile(const Choice& choice);
    void show(const ViewSpec& spec);
    void visit(const ViewSpec& spec);
    void go_back();
    void follow();
    void show_callers();
    void show_path();
    void search(bool backwards);
    void ask_for_search();
    void ask_for_rows();
    void ask_for_file();
    void write(const std::string& path);
    void choose_sorting();
    void choose_columns();
    void choose_of_profiles();
    void show_details();
    void show_help();
    void obey(Command command, Key key);
    bool obey_in_box(Command command);
    bool obey_in_view(Command command);
    void warn(std::string text);
    Line heading(std::size_t columns) const;
    Line tabs(std::size_t columns);
    Line status(std::size_t columns);

    Source& source_;
    Choice choice_;
    std::optional<exports::Part> of_rank_; // where choice_ is a rank
    std::unique_ptr<Scene> scene_;
    std::vector<const ViewSpec*> specs_; // that have something to show
    std::size_t view_ = 0;
    std::map<const ViewSpec*, std::unique_ptr<TableView>> views_;     // that were looked at
    std::map<const ViewSpec*, std::unique_ptr<TableView>> old_views_; // of the scene before the last refresh
    std::vector<Visit> visits_;
    std::optional<ListBox> box_;
    std::optional<Prompt> prompt_;
    std::string message_;
    bool warning_ = false, held_ = false, quits_ = false, redraws_ = false;
    Times times_ = Times::Seconds;
    std::vector<std::size_t> tab_ends_; // of the lines that were drawn last, by view
    std::size_t first_tab_ = 0;
    Size size_{24, 80};
};

} // namespace vftr::tui
