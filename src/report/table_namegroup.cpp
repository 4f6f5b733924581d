// SPDX-License-Identifier: BSD-3-Clause
//
// One row per function name (function_groups.hpp).
//
// Waits of runtimes, idle threads and pauses (analysis/profile/waiting.hpp) are not work of the program: their rows
// come after the program's functions and have a mark, and t_excl[%] is relative to the time without them.
#include "report/function_groups.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

std::uint64_t sort_value(const FunctionGroup& group, const std::string& column) {
    return column == "time_excl"   ? group.exclusive
           : column == "time_incl" ? group.inclusive
           : column == "calls"     ? group.calls.number
                                   : 0;
}

std::string list_stack_ids(const Context& context, const FunctionGroup& group) {
    std::string list;
    for (std::uint32_t id : group.shown_paths)
        list += (list.empty() ? "" : ",") + context.stid(id);
    if (group.shown_paths.size() < group.paths)
        list += ",...";
    return list;
}

constexpr const char* WaitMark = "w";

std::string name_of_rest(std::size_t groups, bool wait) {
    return "(" + std::to_string(groups) + " more " + (wait ? "wait" : "function") + (groups == 1 ? ")" : "s)");
}

class GroupedTable {
public:
    explicit GroupedTable(Context& context)
        : context_(context), config_(context.config), time_(context.time_of_program),
          uncertain_(shows_uncertainty(context.profile)), unseen_(has_unseen_calls(context.profile)),
          groups_(function_groups(context.profile,
                                  static_cast<std::size_t>(config_.name_grouped_profile_table_max_stack_ids))) {}

    void write(std::string& text) {
        const TextTable table = fitting_table(context_, footnotes_, {"Function"}, [&] {
            TextTable made(titles());
            add_rows(made, false);
            add_rows(made, true);
            return made;
        });
        text += section_namegroup.title;
        table.append_to(text);
        text += footnotes_.text();
        if (has_small_ && !is_cut_)
            text += "(… more …): each takes less than " + plain(config_.name_grouped_profile_table_min_percent) +
                    " % of the time, also with what it calls; name_grouped_profile_table.min_percent 0 shows all\n";
        if (has_waits_)
            text +=
                std::string(WaitMark) +
                " waiting: a runtime's waits and idle threads, and pauses; t_excl[%] is of the time without these\n";
        text += uncertainty_note(context_) + calls_notes(context_);
    }

private:
    std::vector<std::string> titles() const {
        std::vector<std::string> titles{"Calls", "t_excl[s]", "t_excl[%]", "t_incl[s]", "Function", "STIDs"};
        // These columns come last, so that scripts that read the table by the positions of its columns still work.
        if (uncertain_)
            titles.push_back(UncertaintyTitle);
        if (unseen_)
            titles.push_back(CallsErrorTitle);
        return titles;
    }

    bool is_small(const FunctionGroup& group) const {
        return static_cast<double>(std::max(group.exclusive, group.inclusive)) <
               config_.name_grouped_profile_table_min_percent / 100 * static_cast<double>(time_);
    }

    // Adds the rows of the program's functions, or those of waits.
    void add_rows(TextTable& table, bool waits) {
        std::vector<Candidate> large;
        FunctionGroup rest;
        std::size_t more = 0;
        const auto sum_up = [&](const FunctionGroup& group) {
            rest.calls.add(group.calls);
            rest.exclusive += group.exclusive;
            rest.uncertainty.add(group.uncertainty);
            ++more;
        };
        for (std::uint32_t i = 0; i < groups_.size(); ++i) {
            if (groups_[i].waits != waits)
                continue;
            has_waits_ |= waits;
            if (!is_small(groups_[i]))
                large.push_back({sort_value(groups_[i], config_.name_grouped_profile_table_sort_table_column), i});
            else
                sum_up(groups_[i]);
        }
        has_small_ |= more != 0;
        const Rows rows(std::move(large), config_.name_grouped_profile_table_sort_table_ascending,
                        config_.name_grouped_profile_table_max_rows);
        for (const Candidate& row : rows.shown()) {
            const FunctionGroup& group = groups_[row.id];
            add_row(table, group, waits, seconds(static_cast<double>(group.inclusive), 3),
                    footnotes_.name(context_, group.first_path), list_stack_ids(context_, group));
            for (std::uint32_t id : group.shown_paths)
                context_.shown[id] = true;
        }
        is_cut_ |= !rows.rest().empty();
        for (const Candidate& row : rows.rest())
            sum_up(groups_[row.id]);
        if (more != 0)
            add_row(table, rest, waits, NoValue, name_of_rest(more, waits), NoValue);
    }

    void add_row(TextTable& table, const FunctionGroup& group, bool waits, std::string inclusive, std::string name,
                 std::string stack_ids) const {
        const auto exclusive = static_cast<double>(group.exclusive);
        std::vector<std::string> cells{group.calls.text(),
                                       seconds(exclusive, 3),
                                       waits ? NoValue
                                             : fixed(time_ != 0 ? 100 * exclusive / static_cast<double>(time_) : 0, 1),
                                       std::move(inclusive),
                                       std::move(name),
                                       std::move(stack_ids)};
        if (uncertain_)
            cells.push_back(uncertainty_text(group.uncertainty));
        if (unseen_)
            cells.push_back(calls_error_text(group.calls));
        table.add_row(std::move(cells), waits ? WaitMark : "");
    }

    Context& context_;
    const config::Config& config_;
    std::uint64_t time_; // of the program without waits, which is 100 % of t_excl
    bool uncertain_, unseen_, has_small_ = false, is_cut_ = false, has_waits_ = false;
    std::vector<FunctionGroup> groups_;
    Footnotes footnotes_;
};

bool wants_namegroup(const Context& context) { return context.config.name_grouped_profile_table_show_table; }

void write_namegroup(Context& context, std::string& text) { GroupedTable(context).write(text); }

} // namespace

extern const Section section_namegroup{"_namegroup", "Runtime profile (Grouped by function name)\n", wants_namegroup,
                                       write_namegroup};

} // namespace vftr::report
