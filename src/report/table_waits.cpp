// SPDX-License-Identifier: BSD-3-Clause
//
// The wait states of a job. Not a section of the log: they need the timelines of all ranks.
#include "report/rows.hpp"
#include "report/text.hpp"
#include "report/text_table.hpp"
#include "report/waits.hpp"

namespace vftr::report {
namespace {

using analysis::WaitSum;

const char* name_of(analysis::WaitState state) {
    switch (state) {
    case analysis::WaitState::LateSender:
        return "late sender";
    case analysis::WaitState::LateReceiver:
        return "late receiver";
    case analysis::WaitState::Collective:
        return "wait at collective";
    case analysis::WaitState::EarlyExit:
        return "early exit";
    }
    return "";
}

std::string seconds_of(std::uint64_t ns) {
    return seconds(static_cast<double>(ns), 6);
}

std::string table_text(Context& context, const std::vector<WaitSum>& sums, std::int64_t max_rows) {
    const std::vector<analysis::PathNode>& nodes = context.profile.nodes;
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < sums.size(); ++i)
        candidates.push_back({sums[i].ns, i});
    Rows rows(std::move(candidates), false, max_rows);
    Footnotes footnotes;
    TextTable table({"Waits", "time[s]", "of path[%]", "max[s]", "on rank", "State", "Function",
                     "Caller", "STID"});
    for (const Candidate& row : rows.shown()) {
        const WaitSum& sum = sums[row.id];
        const analysis::PathNode& node = nodes[sum.path];
        const auto whole = static_cast<double>(node.inclusive.sum);
        table.add_row({std::to_string(sum.waits), seconds_of(sum.ns),
                       whole > 0 ? fixed(100 * static_cast<double>(sum.ns) / whole, 1) : NoValue,
                       seconds_of(sum.worst_ns), std::to_string(sum.worst_rank), name_of(sum.state),
                       footnotes.name(context.name(sum.path)),
                       sum.path == 0 ? NoValue : footnotes.name(context.name(node.parent)),
                       context.stid(sum.path)});
        context.shown[sum.path] = true;
    }
    if (!rows.rest().empty()) {
        std::uint64_t waits = 0, ns = 0;
        for (const Candidate& row : rows.rest()) {
            waits += sums[row.id].waits;
            ns += sums[row.id].ns;
        }
        table.add_row({std::to_string(waits), seconds_of(ns), NoValue, NoValue, NoValue, NoValue,
                       rest_name(rows.rest().size()), NoValue, NoValue});
    }
    return table.to_text() + footnotes.text();
}

void note_unmatched(std::string& out, std::uint64_t unmatched, std::uint64_t all,
                    const char* what) {
    if (unmatched)
        out += "Note: " + std::to_string(unmatched) + " of " + std::to_string(all) + ' ' + what +
               " have no counterpart in these files and are left out.\n";
}

} // namespace

std::string make_waits(const analysis::Profile& profile, const analysis::Waits& waits,
                       std::int64_t max_rows) {
    const config::Config config;
    const std::string source;
    const ShownNames names(profile);
    Context context{profile, config, source, std::vector<bool>(profile.nodes.size()), names};
    std::string out = "Wait states\n";
    if (waits.clock_error == 0)
        out += "All ranks have one clock.\n";
    else
        out += "The clocks of two ranks differ by at most " +
               fixed(static_cast<double>(waits.clock_error) * 1e-3, 3) +
               " us; shorter waits are not counted.\n";
    if (!waits.clocks_known)
        out += "Note: the clocks of the ranks were not compared while the program ran; those of "
               "different machines are "
               "taken to show the same time.\n";
    note_unmatched(out, waits.unmatched_messages, waits.messages, "sends and receives");
    note_unmatched(out, waits.unmatched_calls, waits.calls, "collective calls");
    if (waits.cut_streams)
        out += "Note: event streams that are cut off: " + std::to_string(waits.cut_streams) + ".\n";
    if (waits.sums.empty())
        return out + "No waits were found.\n";
    out += table_text(context, waits.sums, max_rows);
    return out + '\n' + section_stacklist.text(context);
}

} // namespace vftr::report
