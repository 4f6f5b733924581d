// SPDX-License-Identifier: BSD-3-Clause
//
// The communication matrix. For a few ranks the complete matrix is shown. For many ranks it would be too large to read,
// so the pairs with the most data are shown, and how evenly the ranks share the load.
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace vftr::report {
namespace {

using analysis::MatrixCell;
using analysis::MessageSum;
using analysis::Profile;
using analysis::RankStat;
using RankPairs = std::map<std::pair<std::uint32_t, std::uint32_t>, MessageSum>;

// The title must prevent that message time is taken for elapsed time: a hundred messages that are under way in the same
// second add up to a hundred seconds.
constexpr const char* TimeTitle =
    "message time[s] (no elapsed time: from begin to end of each message, also where many are under way at once)";
constexpr const char* PairTimeTitle = "message time[s]";
constexpr const char* PairTimeNote =
    "message time[s]: no elapsed time, but from begin to end of each message, also where many are under way at once\n";

// A rank of another job is marked by "x".
std::string rank_text(std::uint32_t rank) {
    return (rank & vfd::ForeignRank ? "x" : "") + std::to_string(rank & ~vfd::ForeignRank);
}

std::string seconds_text(std::uint64_t ns) { return seconds(static_cast<double>(ns), 6); }

// The matrix summed over call paths.
RankPairs sum_of_paths(const Profile& profile) {
    RankPairs pairs;
    for (const MatrixCell& cell : profile.matrix)
        pairs[{cell.pair.from, cell.pair.to}].add(cell.sum);
    return pairs;
}

// All ranks of the job, then those of other jobs with which they communicated.
std::vector<std::uint32_t> participants(const Profile& profile) {
    std::set<std::uint32_t> ranks;
    for (const MatrixCell& cell : profile.matrix)
        ranks.insert({cell.pair.from, cell.pair.to});
    for (std::uint32_t rank = 0; rank < std::min(profile.world_size, analysis::ExactRanks); ++rank)
        ranks.insert(rank);
    return {ranks.begin(), ranks.end()};
}

// Collective calls move data from each rank to all ranks including itself. The sums of the matrix agree with the
// communication profile, and this line says how much of them does not go to another rank.
std::string to_themselves(const Profile& profile) {
    MessageSum own, all = profile.lighter_pairs.sum;
    for (const MatrixCell& cell : profile.matrix) {
        all.add(cell.sum);
        if (cell.pair.from == cell.pair.to)
            own.add(cell.sum);
    }
    if (own.messages == 0)
        return {};
    const char* at_least = profile.lighter_pairs.pairs ? "at least " : "";
    return std::string("Messages of ranks to themselves (those of collective calls, too) are counted: ") + at_least +
           std::to_string(own.bytes) + " of " + std::to_string(all.bytes) + " bytes, " + std::to_string(own.messages) +
           " of " + std::to_string(all.messages) + " messages\n";
}

std::string square(const char* title, const std::vector<std::uint32_t>& ranks, const RankPairs& pairs,
                   std::uint64_t MessageSum::*value, std::string (*format)(std::uint64_t)) {
    std::vector<std::string> titles{"from\\to"};
    for (std::uint32_t rank : ranks)
        titles.push_back(rank_text(rank));
    titles.push_back("sum");
    TextTable table(std::move(titles));
    std::vector<MessageSum> columns(ranks.size() + 1);
    auto cell = [&](const MessageSum& sum) { return sum.messages ? format(sum.*value) : std::string(NoValue); };
    auto add_row = [&](std::string name, const std::vector<MessageSum>& sums) {
        std::vector<std::string> cells{std::move(name)};
        for (const MessageSum& sum : sums)
            cells.push_back(cell(sum));
        table.add_row(std::move(cells));
    };
    for (std::uint32_t from : ranks) {
        std::vector<MessageSum> row;
        MessageSum all;
        for (std::uint32_t to : ranks) {
            auto found = pairs.find({from, to});
            row.push_back(found == pairs.end() ? MessageSum{} : found->second);
            all.add(row.back());
        }
        row.push_back(all);
        for (std::size_t i = 0; i < row.size(); ++i)
            columns[i].add(row[i]);
        add_row(rank_text(from), row);
    }
    add_row("sum", columns);
    return std::string(title) + '\n' + table.to_text();
}

std::string totals(const Profile& profile) {
    TextTable table({"Per rank", "sum", "average", "min", "on rank", "max", "on rank", "Imbalances[%]", "on rank"});
    auto add = [&](const char* name, const RankStat& stat) {
        analysis::Imbalance imbalance = analysis::imbalance(profile, stat);
        table.add_row({name, std::to_string(stat.sum), fixed(profile.average(stat), 1), std::to_string(stat.min),
                       std::to_string(stat.min_rank), std::to_string(stat.max), std::to_string(stat.max_rank),
                       fixed(imbalance.percent, 2), std::to_string(imbalance.rank)});
    };
    add("bytes sent", profile.sent_bytes);
    add("bytes received", profile.received_bytes);
    add("messages sent", profile.sent_messages);
    add("messages received", profile.received_messages);
    return table.to_text();
}

// The pairs by descending weight, each with its call path where the profile has separate cells for call paths.
class PairTable {
public:
    PairTable(Context& context, bool per_path) : context_(context), per_path_(per_path) {
        std::map<analysis::RankPair, MessageSum> sums;
        for (const MatrixCell& cell : context.profile.matrix) {
            sums[{cell.pair.from, cell.pair.to, per_path ? cell.pair.node : 0}].add(cell.sum);
            all_.add(cell.sum);
        }
        for (const auto& [pair, sum] : sums)
            cells_.push_back({pair, sum});
        all_.add(context.profile.lighter_pairs.sum);
    }

    std::string text(std::size_t most) {
        std::vector<Candidate> candidates;
        for (std::uint32_t i = 0; i < cells_.size(); ++i)
            candidates.push_back({cells_[i].sum.bytes, i});
        Rows rows(std::move(candidates), false, static_cast<std::int64_t>(most));
        std::vector<std::string> titles{"from", "to", "Messages", "bytes", "bytes[%]", PairTimeTitle};
        if (per_path_)
            titles.insert(titles.end(), {"Function", "Caller", "STID"});
        TextTable table(std::move(titles));
        for (const Candidate& row : rows.shown())
            table.add_row(cells_of(cells_[row.id]));
        MessageSum rest = context_.profile.lighter_pairs.sum;
        for (const Candidate& row : rows.rest())
            rest.add(cells_[row.id].sum);
        if (std::uint64_t more = rows.rest().size() + context_.profile.lighter_pairs.pairs) {
            std::vector<std::string> cells{rest_name(more), NoValue};
            add_numbers(cells, rest);
            if (per_path_)
                cells.insert(cells.end(), {NoValue, NoValue, NoValue});
            table.add_row(std::move(cells));
        }
        return "Pairs of ranks that moved most\n" + table.to_text() + PairTimeNote + footnotes_.text();
    }

private:
    void add_numbers(std::vector<std::string>& cells, const MessageSum& sum) const {
        double share = all_.bytes ? 100 * static_cast<double>(sum.bytes) / static_cast<double>(all_.bytes) : 0;
        cells.insert(cells.end(),
                     {std::to_string(sum.messages), std::to_string(sum.bytes), fixed(share, 1), seconds_text(sum.ns)});
    }

    std::vector<std::string> cells_of(const MatrixCell& cell) {
        std::vector<std::string> cells{rank_text(cell.pair.from), rank_text(cell.pair.to)};
        add_numbers(cells, cell.sum);
        if (per_path_) {
            const std::uint32_t id = cell.pair.node;
            cells.push_back(footnotes_.name(context_, id));
            cells.push_back(id == 0 ? NoValue : footnotes_.name(context_, context_.profile.nodes[id].parent));
            cells.push_back(context_.stid(id));
            context_.shown[id] = true;
        }
        return cells;
    }

    Context& context_;
    bool per_path_;
    std::vector<MatrixCell> cells_;
    MessageSum all_;
    Footnotes footnotes_;
};

bool wants_matrix(const Context& context) {
    return context.config.mpi_show_matrix && context.profile.summary.mpi && !context.profile.matrix.empty();
}

std::string matrix_text(Context& context) {
    const Profile& profile = context.profile;
    const bool per_path = context.config.mpi_matrix_per_callpath &&
                          std::any_of(profile.matrix.begin(), profile.matrix.end(),
                                      [](const MatrixCell& cell) { return cell.pair.node != 0; });
    const std::vector<std::uint32_t> ranks = participants(profile);
    const auto most_ranks = static_cast<std::size_t>(context.config.mpi_matrix_max_ranks);
    const bool whole = profile.world_size <= most_ranks && ranks.size() <= most_ranks;
    auto most_rows = static_cast<std::size_t>(context.config.mpi_max_rows);

    std::string out = section_matrix.title + to_themselves(profile);
    if (whole) {
        const RankPairs pairs = sum_of_paths(profile);
        auto number = [](std::uint64_t value) { return std::to_string(value); };
        out += square("bytes", ranks, pairs, &MessageSum::bytes, number);
        out += square("Messages", ranks, pairs, &MessageSum::messages, number);
        out += square(TimeTitle, ranks, pairs, &MessageSum::ns, seconds_text);
    } else if (most_rows == 0 || most_rows > analysis::HeaviestPairs) {
        most_rows = analysis::HeaviestPairs;
    }
    if (!whole || per_path)
        out += PairTable(context, per_path).text(most_rows);
    out += totals(profile);
    if (std::any_of(ranks.begin(), ranks.end(), [](std::uint32_t rank) { return rank & vfd::ForeignRank; }))
        out += "x: a rank of another job\n";
    return out;
}

} // namespace

extern const Section section_matrix{"_mpi", "Communication matrix\n", wants_matrix, append<matrix_text>};

} // namespace vftr::report
