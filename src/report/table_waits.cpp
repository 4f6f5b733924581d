// SPDX-License-Identifier: BSD-3-Clause
//
// The wait states of a job. They are not a section of the log, as they need the timelines of all ranks.
#include "report/mpi_callers.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/stacklist.hpp"
#include "report/text_table.hpp"
#include "report/waits.hpp"

namespace vftr::report {
namespace {

using analysis::LateSum;
using analysis::WaitSum;

std::string seconds_to_six_digits(std::uint64_t ns) { return seconds(static_cast<double>(ns), 6); }

// The rows of a table of sums, sorted by descending time.
template <class Sum>
Rows longest_first(const std::vector<Sum>& sums, std::int64_t max_rows) {
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < sums.size(); ++i)
        candidates.push_back({sums[i].ns, i});
    return {std::move(candidates), false, max_rows};
}

std::string table_text(Context& context, const std::vector<WaitSum>& sums, std::int64_t max_rows) {
    const std::vector<analysis::PathNode>& nodes = context.profile.nodes;
    const Rows rows = longest_first(sums, max_rows);
    Footnotes footnotes;
    MpiCallers callers(context.profile);
    const TextTable table = fitting_table(context, footnotes, {"Function", "Caller"}, [&] {
        TextTable table({"Waits", "time[s]", "of path[%]", "max[s]", "on rank", "State", "Function", "Caller", "STID",
                         "caused[s]", "by rank"});
        for (const Candidate& row : rows.shown()) {
            const WaitSum& sum = sums[row.id];
            const analysis::PathNode& node = nodes[sum.path];
            const auto whole = static_cast<double>(node.inclusive);
            table.add_row({std::to_string(sum.waits), seconds_to_six_digits(sum.ns),
                           whole > 0 ? fixed(100 * static_cast<double>(sum.ns) / whole, 1) : NoValue,
                           seconds_to_six_digits(sum.worst_ns), std::to_string(sum.worst_rank), name_of(sum.state),
                           footnotes.name(context, sum.path), callers.cell(context, footnotes, sum.path),
                           context.stid(sum.path), sum.cause_ns ? seconds_to_six_digits(sum.cause_ns) : NoValue,
                           sum.cause_ns ? std::to_string(sum.cause_rank) : NoValue});
            context.shown[sum.path] = true;
        }
        if (!rows.rest().empty()) {
            std::uint64_t waits = 0, ns = 0;
            for (const Candidate& row : rows.rest()) {
                waits += sums[row.id].waits;
                ns += sums[row.id].ns;
            }
            table.add_row({std::to_string(waits), seconds_to_six_digits(ns), NoValue, NoValue, NoValue, NoValue,
                           rest_name(rows.rest().size()), NoValue, NoValue, NoValue, NoValue});
        }
        return table;
    });
    const std::string note = callers.note(context, footnotes);
    return table.to_text() + note + footnotes.text();
}

// The ranks that made others wait. The sum over all rows is the time of the state "wait at collective".
std::string late_text(Context& context, const std::vector<LateSum>& sums, std::int64_t max_rows) {
    const Rows rows = longest_first(sums, max_rows);
    Footnotes footnotes;
    MpiCallers callers(context.profile);
    const TextTable table = fitting_table(context, footnotes, {"Function", "Caller"}, [&] {
        TextTable table({"rank", "came last in", "of calls", "others waited[s]", "Function", "Caller", "STID"});
        for (const Candidate& row : rows.shown()) {
            const LateSum& sum = sums[row.id];
            table.add_row({std::to_string(sum.rank), std::to_string(sum.late), std::to_string(sum.calls),
                           seconds_to_six_digits(sum.ns), footnotes.name(context, sum.path),
                           callers.cell(context, footnotes, sum.path), context.stid(sum.path)});
            context.shown[sum.path] = true;
        }
        if (!rows.rest().empty()) {
            LateSum rest{};
            for (const Candidate& row : rows.rest()) {
                rest.calls += sums[row.id].calls;
                rest.late += sums[row.id].late;
                rest.ns += sums[row.id].ns;
            }
            table.add_row({rest_name(rows.rest().size()), std::to_string(rest.late), std::to_string(rest.calls),
                           seconds_to_six_digits(rest.ns), NoValue, NoValue, NoValue});
        }
        return table;
    });
    const std::string note = callers.note(context, footnotes);
    return "Ranks that others waited for in collective calls\n" + table.to_text() + note + footnotes.text();
}

// The parts of the time in MPI: waits for other ranks, and the rest.
std::string efficiency_text(const analysis::Profile& profile, const analysis::Waits& waits) {
    if (waits.in_mpi == 0)
        return "";
    return "Time in MPI: " + seconds(static_cast<double>(waits.in_mpi), 3) + " s, " +
           percent(analysis::Breakdown::ratio(waits.waiting, waits.in_mpi)) +
           " of it waits for other ranks, the rest transfer and the calls themselves.\n" + "Communication efficiency " +
           percent(profile.breakdown.communication_efficiency()) + " = serialisation efficiency " +
           percent(waits.serialisation_efficiency(profile.breakdown)) + ", transfer efficiency " +
           percent(waits.transfer_efficiency(profile.breakdown)) + " (product; POP metrics)\n";
}

void note_unmatched(std::string& out, std::uint64_t unmatched, std::uint64_t all, const char* what) {
    if (unmatched)
        out += "Note: " + std::to_string(unmatched) + " of " + std::to_string(all) + ' ' + what +
               " have no counterpart in these files and are left out.\n";
}

} // namespace

std::string make_waits(const analysis::Profile& profile, const analysis::Waits& waits, std::int64_t max_rows,
                       std::int64_t max_width) {
    config::Config config;
    config.stacklist_max_width = max_width;
    const std::string source;
    const ShownNames names(profile);
    Context context{profile, config, source, std::vector<bool>(profile.nodes.size()), names};
    std::string out = "Wait states\n";
    if (waits.clock_error == 0)
        out += "All ranks have one clock.\n";
    else
        out += "The clocks of two ranks differ by at most " + fixed(static_cast<double>(waits.clock_error) * 1e-3, 3) +
               " us; shorter waits are not counted.\n";
    if (!waits.clocks_known)
        out += "Note: the clocks of the ranks were not compared while the program ran; those of "
               "different machines are "
               "taken to show the same time.\n";
    note_unmatched(out, waits.unmatched_messages, waits.messages, "sends and receives");
    note_unmatched(out, waits.unmatched_calls, waits.calls, "collective calls");
    if (waits.cut_streams)
        out += "Note: event streams that are cut off: " + std::to_string(waits.cut_streams) + ".\n";
    out += efficiency_text(profile, waits);
    if (waits.sums.empty())
        return out + "No waits were found.\n";
    out += table_text(context, waits.sums, max_rows);
    if (!waits.late.empty())
        out += '\n' + late_text(context, waits.late, max_rows);
    out += '\n';
    append_stacklist(context, "--max-width", out);
    return out;
}

} // namespace vftr::report
