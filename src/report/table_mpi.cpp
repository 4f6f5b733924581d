// SPDX-License-Identifier: BSD-3-Clause
//
// The communication profile: what was sent and received on each call path. A message is counted
// once where it is sent and once where it is received; its time goes from begin to end, so times of
// non-blocking messages overlap.
#include "report/path_text.hpp"
#include "report/rows.hpp"
#include "report/text.hpp"
#include "report/text_table.hpp"

#include <bit>

namespace vftr::report {
namespace {

using analysis::MessageSum;
using analysis::PathMessages;

// Ratios of sums that may be near 2^64. Negative: there is none.
constexpr double Nothing = -1;

double ratio(std::uint64_t a, std::uint64_t b, long double factor = 1) {
    return b ? static_cast<double>(static_cast<long double>(a) * factor /
                                   static_cast<long double>(b))
             : Nothing;
}
double average_size(const MessageSum& sum) {
    return ratio(sum.bytes, sum.messages);
}
double bandwidth(const MessageSum& sum) {
    return ratio(sum.bytes, sum.ns, 1e9L);
}
MessageSum both_ways(const PathMessages& entry) {
    MessageSum sum = entry.sent;
    sum.add(entry.received);
    return sum;
}
double average_time(const PathMessages& entry) {
    MessageSum sum = both_ways(entry);
    return ratio(sum.ns, sum.messages, 1e-9L);
}

// As a number of the same order; what has no value comes first.
std::uint64_t sortable(double value) {
    return value < 0 ? 0 : std::bit_cast<std::uint64_t>(value + 0.0) + 1;
}

std::uint64_t sort_value(const std::string& column, const PathMessages& entry,
                         const analysis::PathNode& node) {
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
    if (column == "calls")
        return node.calls;
    if (column == "stack_id")
        return entry.node;
    return 0;
}

// Indices into Profile::messages.
Rows make_rows(const Context& context) {
    const analysis::Profile& profile = context.profile;
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < profile.messages.size(); ++i) {
        const PathMessages& entry = profile.messages[i];
        if (both_ways(entry).messages)
            candidates.push_back(
                {sort_value(context.config.mpi_sort_table_column, entry, profile.nodes[entry.node]),
                 i});
    }
    return {std::move(candidates), context.config.mpi_sort_table_ascending,
            context.config.mpi_max_rows};
}

std::vector<std::string> numbers(const PathMessages& entry) {
    auto cell = [](double value, std::string (*format)(double, int), int decimals) {
        return value < 0 ? NoValue : format(value, decimals);
    };
    return {
        std::to_string(both_ways(entry).messages),      cell(average_size(entry.sent), fixed, 1),
        cell(average_size(entry.received), fixed, 1),   cell(bandwidth(entry.sent), scientific, 3),
        cell(bandwidth(entry.received), scientific, 3), cell(average_time(entry), scientific, 3)};
}

class MpiTable {
public:
    explicit MpiTable(Context& context)
        : context_(context), callpath_(context.config.mpi_show_callpath), rows_(make_rows(context)),
          paths_(context.profile, context.names),
          path_width_(PathText::limit_for(rows_.shown().size(), 1 << 20, 500)), table_(titles()) {}

    std::string text() {
        if (rows_.shown().empty())
            return "Communication profile\nNo messages were recorded.\n";
        for (const Candidate& row : rows_.shown())
            add_row(context_.profile.messages[row.id]);
        if (!rows_.rest().empty())
            add_rest();
        return "Communication profile\n" + table_.to_text() + footnotes_.text();
    }

private:
    std::vector<std::string> titles() const {
        std::vector<std::string> titles{"Messages",         "avg send size[B]", "avg recv size[B]",
                                        "avg send BW[B/s]", "avg recv BW[B/s]", "avg comm time[s]",
                                        "Function",         "Caller",           "STID"};
        if (callpath_)
            titles.push_back("Callpath");
        return titles;
    }

    void add_row(const PathMessages& entry) {
        const std::uint32_t id = entry.node;
        std::vector<std::string> cells = numbers(entry);
        cells.push_back(footnotes_.name(context_.name(id)));
        cells.push_back(
            id == 0 ? NoValue : footnotes_.name(context_.name(context_.profile.nodes[id].parent)));
        cells.push_back(context_.stid(id));
        if (callpath_)
            cells.push_back(paths_.of(id, path_width_));
        table_.add_row(std::move(cells));
        context_.shown[id] = true;
    }

    void add_rest() {
        PathMessages rest{};
        for (const Candidate& row : rows_.rest()) {
            rest.sent.add(context_.profile.messages[row.id].sent);
            rest.received.add(context_.profile.messages[row.id].received);
        }
        std::vector<std::string> cells = numbers(rest);
        cells.insert(cells.end(), {rest_name(rows_.rest().size()), NoValue, NoValue});
        if (callpath_)
            cells.push_back(NoValue);
        table_.add_row(std::move(cells));
    }

    Context& context_;
    bool callpath_;
    Rows rows_;
    PathText paths_;
    std::size_t path_width_;
    TextTable table_;
    Footnotes footnotes_;
};

bool wanted(const Context& context) {
    return context.config.mpi_show_table && context.profile.summary.mpi;
}
std::string text(Context& context) {
    return MpiTable(context).text();
}

} // namespace

extern const Section section_mpi{"_mpi", wanted, text};

} // namespace vftr::report
