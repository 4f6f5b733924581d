// SPDX-License-Identifier: BSD-3-Clause
//
// The communication profile: what was sent and received on each call path. A message is counted once where it is sent
// and once where it is received. Its time lasts from its begin to its end, so times of non-blocking messages overlap,
// and the time of a collective call counts for each partner. Averages of such times are useful, but their sum is no
// time in which a rank has waited, so the table also has the time in calls. The totals come after the columns of
// version 2.0, as scripts know the positions of those. Twelve columns are many, so their titles are short.
#include "report/mpi_callers.hpp"
#include "report/number_text.hpp"
#include "report/path_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace vftr::report {
namespace {

using analysis::MessageSum;
using analysis::PathMessages;

// The result of a ratio that does not exist. Long double is used as the sums may be near 2^64.
constexpr double Nothing = -1;

double ratio(std::uint64_t a, std::uint64_t b, long double factor = 1) {
    return b ? static_cast<double>(static_cast<long double>(a) * factor / static_cast<long double>(b)) : Nothing;
}
double average_size(const MessageSum& sum) { return ratio(sum.bytes, sum.messages); }
double bandwidth(const MessageSum& sum) { return ratio(sum.bytes, sum.ns, 1e9L); }
MessageSum both_ways(const PathMessages& entry) {
    MessageSum sum = entry.sent;
    sum.add(entry.received);
    return sum;
}
double average_time(const PathMessages& entry) {
    MessageSum sum = both_ways(entry);
    return ratio(sum.ns, sum.messages, 1e-9L);
}

// Maps a value to an integer of the same order; missing values come first.
std::uint64_t sortable(double value) { return value < 0 ? 0 : std::bit_cast<std::uint64_t>(value + 0.0) + 1; }

std::uint64_t sort_value(const std::string& column, const PathMessages& entry, const analysis::PathNode& node) {
    if (column == "messages")
        return both_ways(entry).messages;
    if (column == "send_size")
        return sortable(average_size(entry.sent));
    if (column == "recv_size")
        return sortable(average_size(entry.received));
    if (column == "send_bw")
        return sortable(bandwidth(entry.sent));
    if (column == "recv_bw")
        return sortable(bandwidth(entry.received));
    if (column == "comm_time")
        return sortable(average_time(entry));
    if (column == "sent")
        return entry.sent.bytes;
    if (column == "received")
        return entry.received.bytes;
    if (column == "calls")
        return node.calls;
    if (column == "stack_id")
        return entry.node;
    return node.inclusive; // "time" and "none"
}

// The rows of the table; their ids are indices into Profile::messages.
Rows make_rows(const Context& context) {
    const analysis::Profile& profile = context.profile;
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < profile.messages.size(); ++i) {
        const PathMessages& entry = profile.messages[i];
        if (both_ways(entry).messages)
            candidates.push_back(
                {sort_value(context.config.mpi_sort_table_column, entry, profile.nodes[entry.node]), i});
    }
    return {std::move(candidates), context.config.mpi_sort_table_ascending, context.config.mpi_max_rows};
}

std::vector<std::string> numbers(const PathMessages& entry) {
    auto cell = [](double value, std::string (*format)(double, int), int decimals) {
        return value < 0 ? NoValue : format(value, decimals);
    };
    return {std::to_string(both_ways(entry).messages),      cell(average_size(entry.sent), fixed, 1),
            cell(average_size(entry.received), fixed, 1),   cell(bandwidth(entry.sent), scientific, 3),
            cell(bandwidth(entry.received), scientific, 3), cell(average_time(entry), scientific, 3)};
}

// Cells of the totals: bytes sent and received (where there were messages in that direction), and time.
std::vector<std::string> sums(const PathMessages& entry, std::uint64_t ns) {
    auto cell = [](const MessageSum& sum) {
        return sum.messages ? bytes_text(static_cast<double>(sum.bytes)) : std::string(NoValue);
    };
    return {cell(entry.sent), cell(entry.received), seconds(static_cast<double>(ns), 6)};
}

constexpr const char* MpiTitles[] = {"Messages", "send[B]", "recv[B]", "send[B/s]",  "recv[B/s]",  "time[s]",
                                     "Function", "Caller",  "STID",    "total sent", "total recv", "in calls[s]"};

constexpr const char* AverageNote =
    "send, recv: sent and received messages; [B], [B/s] and time[s]: averages of a message\n";
constexpr const char* TimeNote =
    "in calls[s]: of the calls that began the messages, over all ranks; what MPI_Wait and the like take has rows of its own in the runtime profile\n";

class MpiTable {
public:
    explicit MpiTable(Context& context)
        : context_(context), callpath_(context.config.mpi_show_callpath), rows_(make_rows(context)),
          paths_(context.profile, context.names, PathText::limit_for(rows_.shown().size(), 1 << 20, 500),
                 context.config.max_name_width),
          callers_(context.profile) {}

    std::string text() {
        if (rows_.shown().empty())
            return section_mpi.title + std::string("No messages were recorded.\n");
        const TextTable table =
            callpath_ ? made_table()
                      : fitting_table(context_, footnotes_, {"Function", "Caller"}, [&] { return made_table(); });
        const std::string note = callers_.note(context_, footnotes_);
        return section_mpi.title + table.to_text() + AverageNote + TimeNote + note + footnotes_.text();
    }

private:
    TextTable made_table() {
        TextTable table(titles());
        for (const Candidate& row : rows_.shown())
            add_row(table, context_.profile.messages[row.id]);
        if (!rows_.rest().empty())
            add_rest(table);
        return table;
    }

    std::vector<std::string> titles() const {
        std::vector<std::string> titles(std::begin(MpiTitles), std::end(MpiTitles));
        if (callpath_)
            titles.push_back("Callpath");
        return titles;
    }

    // Without the call path.
    std::vector<std::string> cells_of(const PathMessages& entry) {
        std::vector<std::string> cells = numbers(entry);
        cells.push_back(footnotes_.name(context_, entry.node));
        cells.push_back(callers_.cell(context_, footnotes_, entry.node));
        cells.push_back(context_.stid(entry.node));
        add_sums(cells, entry, context_.profile.nodes[entry.node].inclusive);
        return cells;
    }

    void add_row(TextTable& table, const PathMessages& entry) {
        std::vector<std::string> cells = cells_of(entry);
        if (callpath_)
            cells.push_back(paths_.of(entry.node));
        table.add_row(std::move(cells));
        context_.shown[entry.node] = true;
    }

    static void add_sums(std::vector<std::string>& cells, const PathMessages& entry, std::uint64_t ns) {
        for (std::string& cell : sums(entry, ns))
            cells.push_back(std::move(cell));
    }

    std::vector<std::string> cells_of_rest() const {
        PathMessages rest{};
        std::uint64_t ns = 0;
        for (const Candidate& row : rows_.rest()) {
            rest.sent.add(context_.profile.messages[row.id].sent);
            rest.received.add(context_.profile.messages[row.id].received);
            ns += context_.profile.nodes[context_.profile.messages[row.id].node].inclusive;
        }
        std::vector<std::string> cells = numbers(rest);
        cells.insert(cells.end(), {rest_name(rows_.rest().size()), NoValue, NoValue});
        add_sums(cells, rest, ns);
        return cells;
    }

    void add_rest(TextTable& table) const {
        std::vector<std::string> cells = cells_of_rest();
        if (callpath_)
            cells.push_back(NoValue);
        table.add_row(std::move(cells));
    }

    Context& context_;
    bool callpath_;
    Rows rows_;
    PathText paths_;
    MpiCallers callers_;
    Footnotes footnotes_;
};

bool wants_mpi(const Context& context) { return context.config.mpi_show_table && context.profile.summary.mpi; }
std::string mpi_text(Context& context) { return MpiTable(context).text(); }

} // namespace

extern const Section section_mpi{"_mpi", "Communication profile\n", wants_mpi, append<mpi_text>};

} // namespace vftr::report
