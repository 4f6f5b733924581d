// SPDX-License-Identifier: BSD-3-Clause
#include "report/distinct_callers.hpp"
#include "report/distribution_text.hpp"
#include "report/number_text.hpp"
#include "report/path_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <optional>

namespace vftr::report {
namespace {

// Sums over the rows of a table, or the values of one row.
struct Values {
    Calls calls;
    std::uint64_t exclusive = 0, overhead = 0, raw_exclusive = 0;
    analysis::Uncertainty uncertainty;

    void add(const analysis::PathNode& node) {
        calls.add(node);
        exclusive += node.exclusive;
        overhead += node.overhead;
        raw_exclusive += node.raw_exclusive;
        uncertainty.add(node);
    }
};

class ProfileTable {
public:
    explicit ProfileTable(Context& context)
        : context_(context), config_(context.config), rows_(call_path_rows(context)),
          uncertain_(shows_uncertainty(context.profile)), unseen_(has_unseen_calls(context.profile)) {
        if (config_.profile_table_show_callpath)
            paths_.emplace(context.profile, context.names, PathText::limit_for(rows_.shown().size(), 1 << 20, 500),
                           config_.max_name_width);
        else
            tell_callers_apart();
    }

    void write(std::string& text) {
        // Call paths, which were asked for, are wider than any terminal.
        const TextTable table =
            paths_ ? made_table()
                   : fitting_table(context_, footnotes_, {"Function", "Caller"}, [&] { return made_table(); });
        text += "Runtime profile\n";
        table.append_to(text);
        text += footnotes_.text() + (callers_ ? callers_->note() : "") + percent_note() + imbalance_notes() +
                uncertainty_note(context_) + calls_notes(context_) + distribution_note();
    }

private:
    TextTable made_table() {
        TextTable table(titles());
        for (const Candidate& row : rows_.shown())
            add_row(table, row.id);
        if (!rows_.rest().empty())
            add_rest(table);
        return table;
    }

    std::vector<std::string> titles() const {
        std::vector<std::string> titles{"Calls", "t_excl[s]", "t_excl[%]"};
        titles.push_back("t_incl[s]");
        if (config_.profile_table_show_overhead)
            titles.insert(titles.end(), {"overhead[s]", "raw t_excl[s]", "raw t_incl[s]"});
        if (shows_imbalances(compares_exclusive))
            titles.insert(titles.end(), {"Imbalances[%]", "on rank"});
        if (shows_imbalances(compares_inclusive))
            titles.insert(titles.end(), {"Imbalances t_incl[%]", "on rank"});
        if (config_.profile_table_show_thread_imbalances)
            titles.insert(titles.end(), {"Threads", "Thread imb.[%]"});
        titles.insert(titles.end(), {"Function", "Caller", "STID"});
        if (config_.profile_table_show_callpath)
            titles.push_back("Callpath");
        // These columns come last: only some runs have them, and the others must keep their positions.
        if (uncertain_)
            titles.push_back(UncertaintyTitle);
        if (unseen_)
            titles.push_back(CallsErrorTitle);
        if (shows_distribution())
            titles.insert(titles.end(), DistributionTitles.begin(), DistributionTitles.end());
        return titles;
    }

    void tell_callers_apart() {
        std::vector<std::uint32_t> ids;
        for (const Candidate& row : rows_.shown())
            ids.push_back(row.id);
        callers_.emplace(context_.profile, ids);
    }

    std::string percent(std::uint64_t exclusive) const {
        std::uint64_t whole = context_.profile.summary.runtime_sum;
        return fixed(whole ? 100.0 * static_cast<double>(exclusive) / static_cast<double>(whole) : 0, 1);
    }

    std::vector<std::string> first_cells(const Values& values, std::string inclusive, std::string raw_inclusive) const {
        std::vector<std::string> cells{values.calls.text(), seconds(static_cast<double>(values.exclusive), 3),
                                       percent(values.exclusive)};
        cells.push_back(std::move(inclusive));
        if (config_.profile_table_show_overhead)
            cells.insert(cells.end(),
                         {seconds(static_cast<double>(values.overhead), 3),
                          seconds(static_cast<double>(values.raw_exclusive), 3), std::move(raw_inclusive)});
        return cells;
    }

    void add_row(TextTable& table, std::uint32_t id) {
        const analysis::PathNode& node = context_.profile.nodes[id];
        Values values;
        values.add(node);
        std::vector<std::string> cells = first_cells(values, seconds(static_cast<double>(node.inclusive), 3),
                                                     seconds(static_cast<double>(node.raw_inclusive), 3));
        if (shows_imbalances(compares_exclusive))
            add_imbalance(cells, node, context_.profile.exclusive(id));
        if (shows_imbalances(compares_inclusive))
            add_imbalance(cells, node, context_.profile.inclusive(id));
        if (config_.profile_table_show_thread_imbalances)
            cells.insert(cells.end(), {std::to_string(node.threads), fixed(analysis::thread_imbalance(node), 2)});
        cells.push_back(footnotes_.name(context_, id));
        cells.push_back(id == 0    ? NoValue
                        : callers_ ? callers_->cell(context_, footnotes_, id)
                                   : footnotes_.name(context_, node.parent));
        cells.push_back(context_.stid(id));
        if (paths_)
            cells.push_back(paths_->of(id));
        add_uncertainty(cells, values);
        if (shows_distribution())
            add_distribution(cells, id);
        table.add_row(std::move(cells), footnotes_.mark(context_, id));
        context_.shown[id] = true;
    }

    // Inclusive times overlap, so they have no sum.
    void add_rest(TextTable& table) const {
        Values values;
        for (const Candidate& row : rows_.rest())
            values.add(context_.profile.nodes[row.id]);
        std::vector<std::string> cells = first_cells(values, NoValue, NoValue);
        for (const auto compares : {compares_exclusive, compares_inclusive})
            if (shows_imbalances(compares))
                cells.insert(cells.end(), {NoValue, NoValue});
        if (config_.profile_table_show_thread_imbalances)
            cells.insert(cells.end(), {NoValue, NoValue});
        cells.insert(cells.end(), {rest_name(rows_.rest().size()), NoValue, NoValue});
        if (config_.profile_table_show_callpath)
            cells.push_back(NoValue);
        add_uncertainty(cells, values);
        if (shows_distribution())
            cells.insert(cells.end(), DistributionTitles.size(), NoValue);
        table.add_row(std::move(cells));
    }

    bool shows_distribution() const { return config_.profile_table_show_distribution && context_.durations; }

    void add_distribution(std::vector<std::string>& cells, std::uint32_t id) const {
        const std::vector<std::string> texts = distribution_texts(analysis::durations_of(*context_.durations, id));
        cells.insert(cells.end(), texts.begin(), texts.end());
    }

    std::string distribution_note() const {
        if (!config_.profile_table_show_distribution)
            return "";
        if (!context_.durations)
            return "How long single calls take is known where profile_table.show_distribution was true when the program "
                   "ran, and to vftr report of timelines of all events\n";
        return context_.durations == &context_.profile.durations ? DistributionNote : TimelineDistributionNote;
    }

    bool shows_imbalances(bool (*of)(const Context&)) const {
        return config_.profile_table_show_calltime_imbalances && of(context_);
    }

    void add_imbalance(std::vector<std::string>& cells, const analysis::PathNode& node,
                       const analysis::RankStat& time) const {
        const analysis::Imbalance imbalance =
            analysis::imbalance(context_.profile, time, node.ranks >= context_.profile.rank_count);
        cells.insert(cells.end(), {fixed(imbalance.percent, 2), std::to_string(imbalance.rank)});
    }

    // The table by function has no waits in its 100 %.
    std::string percent_note() const {
        return context_.time_of_program < context_.profile.summary.runtime_sum
                   ? "t_excl[%]: of the time of all threads, with the waits of runtimes\n"
                   : "";
    }

    std::string imbalance_notes() const {
        std::string text =
            config_.profile_table_show_calltime_imbalances ? exclusive_note(context_, "Imbalances[%]") : "";
        return text + (config_.profile_table_show_thread_imbalances
                           ? "Thread imb.[%]: of t_excl, between the threads that have the call path\n"
                           : "");
    }

    void add_uncertainty(std::vector<std::string>& cells, const Values& values) const {
        if (uncertain_)
            cells.push_back(uncertainty_text(values.uncertainty));
        if (unseen_)
            cells.push_back(calls_error_text(values.calls));
    }

    Context& context_;
    const config::Config& config_;
    Rows rows_;
    std::optional<PathText> paths_;          // only filled if call paths are shown
    std::optional<DistinctCallers> callers_; // only filled if they are not
    bool uncertain_, unseen_;
    Footnotes footnotes_;
};

bool wants_profile(const Context& context) { return context.config.profile_table_show_table; }
void write_profile(Context& context, std::string& text) { ProfileTable(context).write(text); }

} // namespace

extern const Section section_profile{"", "", wants_profile, write_profile};

} // namespace vftr::report
