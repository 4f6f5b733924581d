// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/wait_states.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace vftr::analysis;

namespace {

constexpr std::uint32_t SendPath = 1, ReceivePath = 2, WaitPath = 3, CollectivePath = 4;
constexpr std::int64_t Always = 1000000; // longer than everything here: nothing is settled before finish()

std::vector<WaitRank> ranks(std::uint32_t count, std::int64_t error = 0, std::int64_t longest = Always) {
    std::vector<WaitRank> list;
    for (std::uint32_t rank = 0; rank < count; ++rank)
        list.push_back({rank, error, longest});
    return list;
}

WaitMessage send(std::uint32_t rank, std::uint32_t to, Moment begin, Moment end, std::int32_t tag = 7,
                 std::uint64_t bytes = 8) {
    return {rank, to, true, tag, bytes, begin, end, begin, SendPath, 0};
}
WaitMessage receive(std::uint32_t rank, std::uint32_t from, Moment begin, Moment end, std::int32_t tag = 7,
                    std::uint64_t bytes = 8) {
    return {rank, from, false, tag, bytes, begin, end, begin, ReceivePath, 0};
}
WaitMessage on(std::uint32_t communicator, WaitMessage message) {
    message.communicator = communicator;
    return message;
}
// Completed by a call that was entered later.
WaitMessage completed_in(WaitMessage message, Moment entered) {
    message.entered = entered;
    message.path = WaitPath;
    return message;
}

std::vector<WaitSum> waits_of(std::vector<WaitMessage> messages, std::uint32_t count = 2, std::int64_t error = 0) {
    WaitStates states(ranks(count, error));
    std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
    for (const WaitMessage& message : messages)
        states.add(message);
    states.finish();
    return states.sums();
}

std::uint64_t time_of(const std::vector<WaitSum>& sums, WaitState state, std::uint32_t path) {
    for (const WaitSum& sum : sums)
        if (sum.state == state && sum.path == path)
            return sum.ns;
    return 0;
}

struct Span {
    Moment begin, end;
};

// One call of each rank, in the order of ranks.
WaitStates meeting(const std::vector<Span>& spans, Flow flow, std::int32_t root = 0, std::int64_t error = 0) {
    WaitStates states(ranks(static_cast<std::uint32_t>(spans.size()), error));
    std::vector<std::uint32_t> members;
    for (std::uint32_t rank = 0; rank < spans.size(); ++rank)
        members.push_back(rank);
    const std::uint32_t group = states.group(members);
    for (std::uint32_t rank = 0; rank < spans.size(); ++rank)
        states.add(WaitCollective{rank, group, 1, flow, root, spans[rank].begin, spans[rank].end, spans[rank].begin,
                                  CollectivePath + rank});
    states.finish();
    return states;
}

// Waits at the collective, by rank.
std::vector<std::uint64_t> waits(const WaitStates& states, std::size_t count, WaitState state = WaitState::Collective) {
    std::vector<std::uint64_t> times;
    for (std::uint32_t rank = 0; rank < count; ++rank)
        times.push_back(time_of(states.sums(), state, CollectivePath + rank));
    return times;
}

} // namespace

TEST_CASE("a receive waits for its late sender", "[waits]") {
    auto sums = waits_of({receive(1, 0, 100, 560), send(0, 1, 500, 510)});
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].state == WaitState::LateSender);
    CHECK(sums[0].path == ReceivePath);
    CHECK(sums[0].ns == 400);
    CHECK(sums[0].waits == 1);
    CHECK(sums[0].worst_rank == 1);
    CHECK(sums[0].worst_ns == 400);
}

TEST_CASE("a posted receive waits only from the call that completes it", "[waits]") {
    auto sums = waits_of({completed_in(receive(1, 0, 100, 560), 450), send(0, 1, 500, 510)});
    CHECK(time_of(sums, WaitState::LateSender, WaitPath) == 50);
    CHECK(time_of(sums, WaitState::LateSender, ReceivePath) == 0);
    CHECK(waits_of({completed_in(receive(1, 0, 100, 560), 520), send(0, 1, 500, 510)}).empty());
}

TEST_CASE("a receive waits at most to its own end", "[waits]") {
    CHECK(time_of(waits_of({receive(1, 0, 100, 130), send(0, 1, 500, 510)}), WaitState::LateSender, ReceivePath) == 30);
}

TEST_CASE("a send that needs its receiver waits for the late receiver", "[waits]") {
    auto sums = waits_of({send(0, 1, 100, 620), receive(1, 0, 600, 630)});
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].state == WaitState::LateReceiver);
    CHECK(sums[0].path == SendPath);
    CHECK(sums[0].ns == 500);
    CHECK(sums[0].worst_rank == 0);
}

TEST_CASE("a send that was buffered does not wait", "[waits]") {
    CHECK(waits_of({send(0, 1, 100, 110), receive(1, 0, 600, 630)}).empty());
}

TEST_CASE("what a late sender explains is not a late receiver's as well", "[waits]") {
    // Ranks exchange a message each; rank 1 comes 500 late. The send of rank 0 left at once, but its end was only asked
    // for then.
    auto exchange = [](std::uint32_t rank, Moment begin, Moment end) {
        return std::vector{completed_in(receive(rank, 1 - rank, begin, end), begin + 2),
                           completed_in(send(rank, 1 - rank, begin + 1, end), begin + 2)};
    };
    auto messages = exchange(0, 100, 620);
    for (const WaitMessage& message : exchange(1, 600, 620))
        messages.push_back(message);
    auto sums = waits_of(messages);
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].state == WaitState::LateSender);
    CHECK(sums[0].ns == 499);
}

TEST_CASE("messages that one call completes wait side by side, not one after the other", "[waits]") {
    std::vector<WaitMessage> messages;
    for (int i = 0; i < 10; ++i) {
        messages.push_back(completed_in(receive(1, 0, 100 + i, 900, i), 200));
        messages.push_back(send(0, 1, 300 + 10 * i, 310 + 10 * i, i));
    }
    auto sums = waits_of(messages);
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].ns == 190);
    CHECK(sums[0].waits == 1);
}

TEST_CASE("messages meet in the order of their begins, whatever ends first", "[waits]") {
    // The second receive ends first; with partners exchanged nobody would have waited for 590.
    auto sums = waits_of({receive(1, 0, 10, 700), receive(1, 0, 20, 650), send(0, 1, 600, 605), send(0, 1, 610, 615)});
    CHECK(time_of(sums, WaitState::LateSender, ReceivePath) == 590 + 590);
}

TEST_CASE("tag, size and peer tell messages apart", "[waits]") {
    auto sums = waits_of({receive(1, 0, 100, 900, 1, 8), receive(1, 0, 110, 900, 2, 8), receive(1, 0, 120, 900, 1, 4),
                          receive(1, 2, 130, 900, 1, 8), send(0, 1, 200, 201, 1, 4), send(0, 1, 300, 301, 2, 8),
                          send(2, 1, 400, 401, 1, 8), send(0, 1, 500, 501, 1, 8)},
                         3);
    CHECK(time_of(sums, WaitState::LateSender, ReceivePath) == 400 + 190 + 80 + 270);
}

TEST_CASE("waits shorter than the clocks are sure of are not counted", "[waits]") {
    CHECK(waits_of({receive(1, 0, 100, 560), send(0, 1, 500, 510)}, 2, 200).empty());
    CHECK(waits_of({receive(1, 0, 100, 560), send(0, 1, 500, 510)}, 2, 199).size() == 1);
    CHECK(waits_of({receive(0, 0, 100, 160), send(0, 0, 150, 155)}, 2, 199).size() == 1); // one clock
    CHECK(WaitStates({{0, 5, 0}, {1, 20, 0}, {2, 10, 0}}).clock_error() == 30);
}

TEST_CASE("messages without a counterpart are counted", "[waits]") {
    WaitStates states(ranks(2));
    states.add(send(0, 1, 1, 2));
    states.add(receive(1, 0, 1, 3));
    states.add(send(0, 1, 4, 5));
    states.add(send(0, 9, 4, 5)); // there is no file of 9
    states.finish();
    CHECK(states.messages() == 4);
    CHECK(states.unmatched_messages() == 2);
}

TEST_CASE("all wait for the last at a barrier", "[waits]") {
    WaitStates states = meeting({{100, 310}, {300, 310}, {250, 310}}, Flow::AllToAll);
    CHECK(waits(states, 3) == std::vector<std::uint64_t>{200, 0, 50});
    CHECK(waits(states, 3, WaitState::EarlyExit) == std::vector<std::uint64_t>{0, 0, 0});
    CHECK(states.unmatched_calls() == 0);
    CHECK(states.held() == 0);
}

TEST_CASE("only the others wait for the root of a broadcast", "[waits]") {
    CHECK(waits(meeting({{100, 210}, {200, 220}, {290, 300}}, Flow::RootToAll, 1), 3) ==
          std::vector<std::uint64_t>{100, 0, 0});
}

TEST_CASE("only the root of a reduction waits, until the last has come", "[waits]") {
    CHECK(waits(meeting({{100, 310}, {20, 25}, {290, 300}}, Flow::AllToRoot, 0), 3) ==
          std::vector<std::uint64_t>{190, 0, 0});
}

TEST_CASE("in a scan a rank waits for the lower ones", "[waits]") {
    CHECK(waits(meeting({{200, 210}, {100, 220}, {150, 230}, {300, 310}}, Flow::Prefix), 4) ==
          std::vector<std::uint64_t>{0, 100, 50, 0});
}

TEST_CASE("who leaves a barrier after the first has an early exit", "[waits]") {
    WaitStates states = meeting({{100, 150}, {100, 190}, {100, 150}}, Flow::AllToAll);
    CHECK(waits(states, 3, WaitState::EarlyExit) == std::vector<std::uint64_t>{0, 40, 0});
    CHECK(waits(meeting({{100, 150}, {100, 190}}, Flow::RootToAll), 2, WaitState::EarlyExit) ==
          std::vector<std::uint64_t>{0, 0});
    CHECK(waits(meeting({{100, 150}, {100, 190}}, Flow::AllToAll, 0, 20), 2, WaitState::EarlyExit) ==
          std::vector<std::uint64_t>{0, 0});
}

// Issue: in a collective say who caused the wait.
TEST_CASE("the last to come is the one that the others waited for", "[waits]") {
    const WaitStates barrier = meeting({{0, 100}, {60, 100}, {90, 100}}, Flow::AllToAll);
    REQUIRE(barrier.late().size() == 1);
    const LateSum late = barrier.late()[0];
    CHECK(
        (late.path == CollectivePath + 2 && late.rank == 2 && late.calls == 1 && late.late == 1 && late.ns == 90 + 30));
    for (const WaitSum& sum : barrier.sums())
        CHECK((sum.state != WaitState::Collective || (sum.cause_rank == 2 && sum.cause_ns == sum.ns)));
    const WaitStates broadcast = meeting({{70, 100}, {60, 100}, {90, 100}}, Flow::RootToAll);
    REQUIRE(broadcast.late().size() == 1);
    CHECK((broadcast.late()[0].rank == 0 && broadcast.late()[0].ns == 10));
    CHECK(meeting({{10, 100}, {10, 100}}, Flow::AllToAll).late().empty());
    const WaitStates reduce = meeting({{10, 100}, {60, 61}, {50, 51}}, Flow::AllToRoot);
    REQUIRE(reduce.late().size() == 1);
    CHECK((reduce.late()[0].rank == 1 && reduce.late()[0].ns == 50));
    const WaitStates scan = meeting({{40, 100}, {10, 100}, {60, 100}, {5, 100}}, Flow::Prefix);
    REQUIRE(scan.late().size() == 2);
    CHECK((scan.late()[0].rank == 0 && scan.late()[0].ns == 30));
    CHECK((scan.late()[1].rank == 2 && scan.late()[1].ns == 55));
}

TEST_CASE("who comes late is counted over all calls, and is the cause of a path's wait if nobody is later", "[waits]") {
    WaitStates states(ranks(3));
    const std::uint32_t all = states.group({0, 1, 2});
    for (Moment n = 0; n < 50; ++n)
        for (std::uint32_t rank = 0; rank < 3; ++rank) { // rank 1 is late by 20, every fifth time rank 2 by 30
            const Moment begin = 1000 * n + (rank == 1 ? 20 : rank == 2 && n % 5 == 0 ? 30 : 0);
            states.add(WaitCollective{rank, all, 1, Flow::AllToAll, 0, begin, 1000 * n + 40, begin, CollectivePath});
        }
    states.finish();
    REQUIRE(states.late().size() == 2);
    const LateSum often = states.late()[0], seldom = states.late()[1];
    CHECK((often.rank == 1 && often.calls == 50 && often.late == 40 && often.ns == 40 * 40));
    CHECK((seldom.rank == 2 && seldom.calls == 50 && seldom.late == 10 && seldom.ns == 10 * 40));
    REQUIRE(states.sums().size() == 1);
    CHECK((states.sums()[0].ns == 2000 && states.sums()[0].cause_rank == 1 && states.sums()[0].cause_ns == 1600));
}

TEST_CASE("a late sender or receiver is the cause of the wait for it", "[waits]") {
    const std::vector<WaitSum> sums =
        waits_of({receive(0, 1, 0, 50), send(1, 0, 40, 45), receive(0, 2, 100, 190, 8), send(2, 0, 180, 185, 8)}, 3);
    REQUIRE(sums.size() == 1);
    CHECK((sums[0].state == WaitState::LateSender && sums[0].ns == 120 && sums[0].cause_rank == 2 &&
           sums[0].cause_ns == 80));
}

TEST_CASE("a non-blocking collective call waits where it is completed, and has no early exit", "[waits]") {
    WaitStates states(ranks(2));
    const std::uint32_t group = states.group({0, 1});
    states.add(WaitCollective{1, group, 1, Flow::AllToAll, 0, 600, 610, 600, CollectivePath + 1});
    states.add(WaitCollective{0, group, 1, Flow::AllToAll, 0, 100, 700, 500, CollectivePath});
    states.finish();
    CHECK(waits(states, 2) == std::vector<std::uint64_t>{100, 0});
    CHECK(waits(states, 2, WaitState::EarlyExit) == std::vector<std::uint64_t>{0, 0});
}

TEST_CASE("collective calls meet by group and function in order", "[waits]") {
    WaitStates states(ranks(3));
    const std::uint32_t all = states.group({0, 1, 2}), two = states.group({2, 0});
    CHECK(states.group({0, 1, 2}) == all);
    auto add = [&](std::uint32_t rank, std::uint32_t group, std::uint32_t function, Moment begin) {
        states.add(WaitCollective{rank, group, function, Flow::AllToAll, 0, begin, begin + 1000, begin,
                                  CollectivePath + rank});
    };
    add(0, all, 1, 100);
    add(1, all, 1, 110);
    add(0, two, 1, 120);
    add(2, all, 2, 125); // another function: meets nobody
    add(2, all, 1, 130);
    add(2, two, 1, 180);
    states.finish();
    CHECK(waits(states, 3) == std::vector<std::uint64_t>{30 + 60, 20, 0});
    CHECK(states.collective_calls() == 6);
    CHECK(states.unmatched_calls() == 1);
}

TEST_CASE("calls of a group that is not there as a whole are counted as unmatched", "[waits]") {
    WaitStates states(ranks(2));
    states.add(WaitCollective{0, states.group({0, 5}), 1, Flow::AllToAll, 0, 1, 2, 1, 0});
    states.add(WaitCollective{0, states.group({1}), 1, Flow::AllToAll, 0, 1, 2, 1, 0}); // of a remote group
    states.finish();
    CHECK(states.unmatched_calls() == 2);
    CHECK(states.held() == 0);
}

TEST_CASE("how a function's data flows", "[waits]") {
    CHECK(flow_of("MPI_Barrier", false) == Flow::AllToAll);
    CHECK(flow_of("MPI_Reduce_scatter_block", false) == Flow::AllToAll);
    CHECK(flow_of("MPI_Ibcast", true) == Flow::RootToAll);
    CHECK(flow_of("MPI_Scatterv", true) == Flow::RootToAll);
    CHECK(flow_of("MPI_Igatherv", true) == Flow::AllToRoot);
    CHECK(flow_of("MPI_Reduce", true) == Flow::AllToRoot);
    CHECK(flow_of("MPI_Exscan", false) == Flow::Prefix);
    CHECK(flow_of("MPI_Allgather", false) == Flow::AllToAll);
    CHECK(flow_of("MPI_Neighbor_alltoallv", false) == Flow::Neighbours);
    CHECK(flow_of("MPI_Reduce", false) == Flow::AllToRoot); // beside the root of an intercommunicator
    CHECK(flow_of("MPI_Start", true) == Flow::Unknown);
}

// Issue: sends and receives of equal pair, tag and size on different communicators are mixed up.
TEST_CASE("messages of two communicators are not confused", "[waits]") {
    auto sums = waits_of({on(5, send(0, 1, 10, 11)), on(6, receive(1, 0, 20, 520)), on(6, send(0, 1, 500, 510)),
                          on(5, receive(1, 0, 530, 540))});
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].ns == 480);
    CHECK(sums[0].waits == 1);
}

// Issue: MPI_Probe and Mprobe have no rows.
TEST_CASE("a blocking probe waits for the message that it finds", "[waits]") {
    constexpr std::uint32_t ProbePath = 9;
    auto found = [](std::vector<WaitProbe> probes, std::vector<WaitMessage> messages) {
        WaitStates states(ranks(2));
        for (const WaitProbe& probe : probes) // before the receives of what they find
            states.add(probe);
        for (const WaitMessage& message : messages)
            states.add(message);
        states.finish();
        CHECK(states.held() == 0);
        CHECK(states.unmatched_messages() == 0);
        return time_of(states.sums(), WaitState::LateSender, ProbePath);
    };
    auto probe = [](Moment begin, Moment end, bool takes) {
        return WaitProbe{1, 0, 0, 7, 8, begin, end, ProbePath, takes};
    };
    const std::vector<WaitMessage> messages{send(0, 1, 400, 405), receive(1, 0, 700, 710), send(0, 1, 600, 605),
                                            receive(1, 0, 720, 730)};
    CHECK(found({probe(100, 410, false)}, messages) == 300);
    CHECK(found({probe(100, 410, false), probe(415, 420, false)}, messages) == 300); // the same message once more
    CHECK(found({probe(100, 410, true), probe(420, 610, true)}, messages) == 300 + 180);
    CHECK(found({probe(100, 410, true), probe(420, 610, false)}, messages) == 300 + 180);
    CHECK(found({probe(100, 410, false), probe(415, 420, true), probe(420, 610, false)}, messages) == 300 + 180);
    CHECK(found({probe(711, 715, false)}, messages) == 0);
}

// Issue: neighbourhood and intercommunicator collectives have no rows.
TEST_CASE("in a neighbourhood a rank waits for its sources only", "[waits]") {
    WaitStates states(ranks(3));
    const std::uint32_t group = states.group({0, 1, 2});
    auto call = [&](std::uint32_t rank, Moment begin, Moment end, std::vector<std::uint32_t> sources) {
        states.add(WaitCollective{rank, group, 1, Flow::Neighbours, -1, begin, end, begin, CollectivePath + rank, 3,
                                  std::move(sources)});
    };
    call(0, 10, 120, {1});
    call(1, 100, 130, {0});
    call(2, 500, 510, {0, 1});
    states.finish();
    CHECK(waits(states, 3) == std::vector<std::uint64_t>{90, 0, 0});
    CHECK(states.unmatched_calls() == 0);
}

TEST_CASE("on an intercommunicator a rank waits for the other side", "[waits]") {
    WaitStates states(ranks(4));
    const std::uint32_t even = states.group({0, 2}), odd = states.group({1, 3});
    Moment end = 1000;
    auto meet = [&](std::uint32_t function, Flow flow, std::vector<Moment> begins, std::vector<std::int32_t> roots) {
        for (std::uint32_t rank = 0; rank < 4; ++rank)
            states.add(WaitCollective{rank, rank % 2 ? even : odd, function, flow, roots[rank], begins[rank], end,
                                      begins[rank], CollectivePath + rank, 77});
        end += 1000;
    };
    meet(1, Flow::AllToAll, {100, 200, 300, 400}, {-1, -1, -1, -1});
    const std::vector<std::uint64_t> all{300, 100, 100, 0};
    CHECK(states.unmatched_calls() == 4);                               // none is settled yet
    meet(2, Flow::RootToAll, {1100, 1200, 1300, 1400}, {1, -1, 1, -1}); // rank 3 sends to 0 and 2
    const std::vector<std::uint64_t> from_root{300, 0, 100, 0};
    meet(3, Flow::AllToRoot, {2400, 2200, 2300, 2100}, {-1, 0, -1, 0}); // rank 0 gets the data of 1 and 3
    meet(4, Flow::AllToRoot, {3400, 3200, 3300, 3100}, {1, -1, 1, -1}); // rank 3 those of 0 and 2
    states.finish();
    CHECK(states.unmatched_calls() == 0);
    CHECK(waits(states, 4) == std::vector<std::uint64_t>{all[0] + from_root[0], all[1], all[2] + from_root[2], 300});
    CHECK(waits(states, 4, WaitState::EarlyExit) == std::vector<std::uint64_t>(4));
}

TEST_CASE("only what is in flight is kept, and that changes no result", "[waits]") {
    std::mt19937 random(4);
    std::vector<WaitMessage> messages;
    constexpr std::int64_t Longest = 60;
    for (Moment at = 0; at < 200000; at += 20) {
        auto from = static_cast<std::uint32_t>(random() % 3), to = (from + 1) % 3;
        messages.push_back(send(from, to, at, at + 1 + random() % Longest));
        Moment begin = std::max<Moment>(at - 30, 0);
        messages.push_back(receive(to, from, begin, begin + 31 + random() % (Longest - 31)));
    }
    std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
    WaitStates early(ranks(3, 0, Longest)), late(ranks(3));
    std::size_t most = 0;
    for (const WaitMessage& message : messages) {
        early.add(message);
        late.add(message);
        most = std::max(most, early.held());
    }
    early.finish();
    late.finish();
    CHECK(most < 60);
    CHECK(early.unmatched_messages() == 0);
    REQUIRE(early.sums().size() == late.sums().size());
    for (std::size_t i = 0; i < early.sums().size(); ++i) {
        CHECK(early.sums()[i].ns == late.sums()[i].ns);
        CHECK(early.sums()[i].waits == late.sums()[i].waits);
        CHECK(early.sums()[i].worst_rank == late.sums()[i].worst_rank);
    }
}
