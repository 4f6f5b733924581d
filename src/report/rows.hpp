// SPDX-License-Identifier: BSD-3-Clause
//
// What the tables have in common: the choice and order of their rows, and the form of a row.
#pragma once

#include "report/section.hpp"
#include "report/text_table.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::report {

// A possible row of a table: its number, and the value by which it is sorted.
struct Candidate {
    std::uint64_t value;
    std::uint32_t id;
};

// The rows that a table shows, and those that it only sums up.
class Rows {
public:
    // At most `max_rows` (0: all) are shown. Rows of equal values are in the order of their ids.
    Rows(std::vector<Candidate> candidates, bool ascending, std::int64_t max_rows);

    std::span<const Candidate> shown() const { return std::span(all_).first(shown_); }
    std::span<const Candidate> rest() const { return std::span(all_).subspan(shown_); }

private:
    std::vector<Candidate> all_;
    std::size_t shown_;
};

// The rows for call paths in the order of the runtime profile.
Rows call_path_rows(const Context& context);

inline constexpr const char* NoValue = "----";

// The name of the row that sums up the rest: "(12 more)".
std::string rest_name(std::size_t rows);

// Whether imbalances, minima and maxima over ranks are those of exclusive or of inclusive times
// (profile_table.imbalances_of).
bool compares_exclusive(const Context& context);
bool compares_inclusive(const Context& context);
// A line below a table, which says that the columns with the titles `columns` are those of exclusive times; empty where
// they are not.
std::string exclusive_note(const Context& context, const std::string& columns);

// The column that tables of exclusive times have if some of these are uncertain: because they are estimated, or because
// the hooks took much of the measured time.
inline constexpr const char* UncertaintyTitle = "±[%]";
inline constexpr const char* UncertaintyNote =
    "±[%]: t_excl is that near with a confidence of 95 %, in percent of it, by how many of the calls were timed or CPU samples taken and by what is not known of the cost of the hooks; ----: it is exact; "
    ">999.9: the hooks took so much more than that that it is not known\n";
bool shows_uncertainty(const analysis::Profile& profile);
// The note that explains the column, below the first table of a file that has it.
std::string uncertainty_note(const Context& context);
// The cell of that column.
std::string uncertainty_text(const analysis::PathNode& node);
std::string uncertainty_text(const analysis::Uncertainty& uncertainty);

// A number of calls, of which some may be estimated.
struct Calls {
    std::uint64_t number = 0, unseen = 0, unseen_error = 0; // see analysis::PathNode
    bool uncounted = false;                                 // there are others, of code without hooks

    void add(const analysis::PathNode& node) {
        add({node.calls, node.unseen, node.unseen_error, node.kind == analysis::NodeKind::Unhooked});
    }
    void add(const Calls& other) {
        uncounted |= other.uncounted;
        number += other.number;
        unseen += other.unseen;
        unseen_error += other.unseen_error;
    }
    std::string text() const; // "≈12" where some are estimated, NoValue where none was counted
};
// The column of tables with estimated numbers of calls, and the notes on numbers that are not those of counted calls.
inline constexpr const char* CallsErrorTitle = "Calls ±[%]";
bool has_unseen_calls(const analysis::Profile& profile);
std::string calls_error_text(const Calls& calls);
std::string calls_notes(const Context& context);

// Collects the lines below a table that explain the marks and shortened names of its rows.
class Footnotes {
public:
    // Names get no more than `limit` characters; without it, as many as max_name_width says, or more where a function
    // and its class need them.
    explicit Footnotes(std::optional<std::size_t> limit = {}) : asked_(limit) {}
    std::size_t limit(const Context& context) const; // 0: none

    // A name as the text of a cell.
    std::string name(const Context& context, const std::string& text);
    std::string name(const Context& context, std::uint32_t node) { return name(context, context.name(node)); }
    // The mark after the row of a call path.
    std::string mark(const Context& context, std::uint32_t node);
    std::string text() const;

private:
    std::optional<std::size_t> asked_;
    std::size_t limit_ = 0; // width of the names; 0 if none had to be shortened
    bool absent_ = false;
};

// How wide names of two columns beside each other may be at most, so that they fit into `room`; of the one and the
// other the widest are given. Names that are cut down further tell nothing.
std::size_t width_for_names(std::size_t one, std::size_t other, std::size_t room);

// Calls make(), which uses `footnotes` for the names in the columns with these titles, of which there are one or two.
// Where the table is wider than WidestTable, it is made again with names that are short enough, unless max_name_width
// was asked for.
inline constexpr std::size_t WidestTable = 160;
TextTable fitting_table(const Context& context, Footnotes& footnotes, std::initializer_list<std::string_view> titles,
                        const std::function<TextTable()>& make);

} // namespace vftr::report
