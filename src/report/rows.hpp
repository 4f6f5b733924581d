// SPDX-License-Identifier: BSD-3-Clause
//
// What the tables have in common: which rows they show, in which order, and how a row looks.
#pragma once

#include "report/section.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vftr::report {

// Something a table could show: its number, and the value it is sorted by.
struct Candidate {
    std::uint64_t value;
    std::uint32_t id;
};

// The rows of a table and those that it only sums up.
class Rows {
public:
    // At most `max_rows` (0: all) are shown. Equal values come with the lowest id first.
    Rows(std::vector<Candidate> candidates, bool ascending, std::int64_t max_rows);

    std::span<const Candidate> shown() const { return std::span(all_).first(shown_); }
    std::span<const Candidate> rest() const { return std::span(all_).subspan(shown_); }

private:
    std::vector<Candidate> all_;
    std::size_t shown_;
};

// The call paths in the order of the runtime profile.
Rows call_path_rows(const Context& context);

inline constexpr const char* NoValue = "----";

// "(12 more)": the name of the row that sums up the rest.
std::string rest_name(std::size_t rows);

// Of which times of the ranks imbalances, minima and maxima are (profile_table.imbalances_of).
bool compares_exclusive(const Context& context);
bool compares_inclusive(const Context& context);
// A line below such a table, which says so of columns that do not; empty where there are none. columns: their titles.
std::string exclusive_note(const Context& context, const std::string& columns);

// A column that tables of exclusive times have where some of them are uncertain: estimates, or times of which the hooks
// took much.
inline constexpr const char* UncertaintyTitle = "±[%]";
inline constexpr const char* UncertaintyNote =
    "±[%]: t_excl is that near with a confidence of 95 %, in percent of it, by how many of the calls were timed and by what is not known of the cost of the hooks; ----: it is exact; "
    ">999.9: the hooks took so much more than that that it is not known\n";
bool shows_uncertainty(const analysis::Profile& profile);
// The note, below the first table of a file that has the column.
std::string uncertainty_note(const Context& context);
// Its cell.
std::string uncertainty_text(const analysis::PathNode& node);
std::string uncertainty_text(const analysis::Uncertainty& uncertainty);

// The lines below a table that explain what its rows needed.
class Footnotes {
public:
    // A name as a cell.
    std::string name(const Context& context, const std::string& text);
    std::string name(const Context& context, std::uint32_t node) { return name(context, context.name(node)); }
    // What to put behind the row of a call path.
    std::string mark(const Context& context, std::uint32_t node);
    std::string text() const;

private:
    std::size_t limit_ = 0; // of the names, where some were longer
    bool absent_ = false;
};

} // namespace vftr::report
