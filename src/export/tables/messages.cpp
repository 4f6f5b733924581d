// SPDX-License-Identifier: BSD-3-Clause
//
// The messages of a run with MPI: by call path, by rank, and by pair of ranks.
#include "export/tables/rank_stat_columns.hpp"
#include "export/tables/tables.hpp"
#include "vfd/format.hpp"

namespace vftr::exports {

namespace {

using analysis::LighterPairs;
using analysis::MatrixCell;
using analysis::Profile;

struct MessagesRow {
    const TablePart& part;
    const analysis::PathMessages& messages;
};

constexpr Column<MessagesRow> MessagesColumns[] = {
    {"path", [](const MessagesRow& row, Cell& cell) { cell.number(row.part.profile.stid(row.messages.node)); }},
    {"function", [](const MessagesRow& row, Cell& cell) { cell.text(row.part.names.of(row.messages.node)); }},
    {{"sent", "messages"}, [](const MessagesRow& row, Cell& cell) { cell.number(row.messages.sent.messages); }},
    {{"sent", "bytes"}, [](const MessagesRow& row, Cell& cell) { cell.number(row.messages.sent.bytes); }},
    {{"sent", "message_time_ns"}, [](const MessagesRow& row, Cell& cell) { cell.number(row.messages.sent.ns); }},
    {{"received", "messages"}, [](const MessagesRow& row, Cell& cell) { cell.number(row.messages.received.messages); }},
    {{"received", "bytes"}, [](const MessagesRow& row, Cell& cell) { cell.number(row.messages.received.bytes); }},
    {{"received", "message_time_ns"},
     [](const MessagesRow& row, Cell& cell) { cell.number(row.messages.received.ns); }},
    {"in_calls_ns",
     [](const MessagesRow& row, Cell& cell) { cell.number(row.part.profile.nodes[row.messages.node].inclusive); }},
};

void put_messages(const TablePart& part, TableSink& sink) {
    for (const analysis::PathMessages& messages : part.profile.messages)
        put_row(MessagesColumns, MessagesRow{part, messages}, sink);
}

constexpr auto ByRankColumns = quantity_columns("quantity", "");

void put_messages_by_rank(const TablePart& part, TableSink& sink) {
    const Profile& profile = part.profile;
    if (!profile.summary.mpi)
        return;
    put_row(ByRankColumns, Quantity{"sent_bytes", profile.sent_bytes}, sink);
    put_row(ByRankColumns, Quantity{"received_bytes", profile.received_bytes}, sink);
    put_row(ByRankColumns, Quantity{"sent_messages", profile.sent_messages}, sink);
    put_row(ByRankColumns, Quantity{"received_messages", profile.received_messages}, sink);
}

struct MatrixRow {
    const Profile& profile;
    const MatrixCell& pair;
};

// A rank of MPI_COMM_WORLD, or one of another job.
template <std::uint32_t analysis::RankPair::*rank>
void put_rank_of_pair(const MatrixRow& row, Cell& cell) {
    cell.number(row.pair.pair.*rank & ~vfd::ForeignRank);
}
template <std::uint32_t analysis::RankPair::*rank>
void put_of_other_job(const MatrixRow& row, Cell& cell) {
    if (row.pair.pair.*rank & vfd::ForeignRank)
        cell.flag(true);
}

constexpr Column<MatrixRow> MatrixColumns[] = {
    {"from_rank", put_rank_of_pair<&analysis::RankPair::from>},
    {"from_other_job", put_of_other_job<&analysis::RankPair::from>},
    {"to_rank", put_rank_of_pair<&analysis::RankPair::to>},
    {"to_other_job", put_of_other_job<&analysis::RankPair::to>},
    {"path",
     [](const MatrixRow& row, Cell& cell) {
         if (row.pair.pair.node != 0)
             cell.number(row.profile.stid(row.pair.pair.node));
     }},
    {"got",
     [](const MatrixRow& row, Cell& cell) {
         if (row.pair.pair.got)
             cell.flag(true);
     }},
    {"messages", [](const MatrixRow& row, Cell& cell) { cell.number(row.pair.sum.messages); }},
    {"bytes", [](const MatrixRow& row, Cell& cell) { cell.number(row.pair.sum.bytes); }},
    {"message_time_ns", [](const MatrixRow& row, Cell& cell) { cell.number(row.pair.sum.ns); }},
};

void put_matrix(const TablePart& part, TableSink& sink) {
    for (const MatrixCell& pair : part.profile.matrix)
        put_row(MatrixColumns, MatrixRow{part.profile, pair}, sink);
}

constexpr Column<LighterPairs> LighterColumns[] = {
    {"pairs", [](const LighterPairs& rest, Cell& cell) { cell.number(rest.pairs); }},
    {"messages", [](const LighterPairs& rest, Cell& cell) { cell.number(rest.sum.messages); }},
    {"bytes", [](const LighterPairs& rest, Cell& cell) { cell.number(rest.sum.bytes); }},
    {"message_time_ns", [](const LighterPairs& rest, Cell& cell) { cell.number(rest.sum.ns); }},
};

void put_lighter_pairs(const TablePart& part, TableSink& sink) {
    if (!part.profile.matrix.empty())
        put_row(LighterColumns, part.profile.lighter_pairs, sink);
}

} // namespace

constexpr Table messages_table{"messages", "a call path with messages", names_of<MessagesColumns>, put_messages};
constexpr Table messages_by_rank_table{"messages_by_rank", "bytes or messages, with the ranks that have least and most",
                                       names_of<ByRankColumns>, put_messages_by_rank};
constexpr Table message_matrix_table{"message_matrix", "a pair of ranks", names_of<MatrixColumns>, put_matrix};
constexpr Table lighter_pairs_table{"lighter_pairs", "the pairs of a large job that the matrix leaves out",
                                    names_of<LighterColumns>, put_lighter_pairs};

} // namespace vftr::exports
