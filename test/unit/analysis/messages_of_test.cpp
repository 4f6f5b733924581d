// SPDX-License-Identifier: BSD-3-Clause
#include "../vfd/image_builder.hpp"
#include "analysis/profile/profile.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;
using vfd::Direction;
using vfd::Span;

namespace {

// Rank 1 of a job, with the paths 1: a<init, 2: b<init of each of two threads. Two ticks are a nanosecond.
class Rank {
public:
    explicit Rank(std::int32_t size, std::int32_t rank = 1) {
        builder.header.rank = rank;
        builder.header.size = size;
        builder.header.flags = vfd::FlagMpi;
        builder.name(10, "a").name(20, "b");
        builder.thread(0, {ImageBuilder::root(), ImageBuilder::function(0, 10), ImageBuilder::function(0, 20)});
        builder.thread(1, {ImageBuilder::root(), ImageBuilder::function(0, 20), ImageBuilder::function(0, 10)});
    }
    Rank& traffic(std::uint32_t thread, std::uint32_t node, Direction direction, Span span, std::uint32_t target,
                  MessageSum sum) {
        traffic_.push_back({thread, node, target, direction, span, 0, sum.messages, sum.bytes, sum.ns * 2});
        return *this;
    }
    Profile profile() {
        builder.traffic(0, traffic_);
        return profile_of(builder.open());
    }

    ImageBuilder builder;

private:
    std::vector<vfd::Traffic> traffic_;
};

const PathMessages* messages_at(const Profile& profile, std::string_view path) {
    for (const PathMessages& entry : profile.messages)
        if (call_path(profile, entry.node) == path)
            return &entry;
    return nullptr;
}

// Each pair as "1>2 a<init" or "1<2", with its sum.
std::map<std::string, MessageSum> cells(const Profile& profile) {
    std::map<std::string, MessageSum> all;
    for (const MatrixCell& cell : profile.matrix) {
        const RankPair& pair = cell.pair;
        std::string key = pair.got ? std::to_string(pair.to) + "<" + std::to_string(pair.from)
                                   : std::to_string(pair.from) + ">" + std::to_string(pair.to);
        all[key + (pair.node ? " " + call_path(profile, pair.node) : "")] = cell.sum;
    }
    return all;
}

using Cells = std::map<std::string, MessageSum>;

} // namespace

TEST_CASE("messages are summed per call path over threads, and per pair by their sender", "[messages]") {
    Rank r(4);
    r.traffic(0, 1, Direction::Send, Span::Rank, 2, {3, 300, 30})
        .traffic(1, 2, Direction::Send, Span::Rank, 2, {1, 8, 5});
    r.traffic(0, 2, Direction::Receive, Span::Rank, 3, {5, 50, 7})
        .traffic(0, 2, Direction::Get, Span::Rank, 3, {1, 9, 1});
    r.traffic(0, 2, Direction::Send, Span::Rank, vfd::ForeignRank, {2, 4, 6});
    Profile p = r.profile();
    CHECK(p.world_size == 4);
    REQUIRE(p.messages.size() == 2);
    REQUIRE(messages_at(p, "a<init"));
    CHECK(messages_at(p, "a<init")->sent == MessageSum{4, 308, 35});
    CHECK(messages_at(p, "a<init")->received == MessageSum{});
    CHECK(messages_at(p, "b<init")->sent == MessageSum{2, 4, 6});
    CHECK(messages_at(p, "b<init")->received == MessageSum{6, 59, 8});
    CHECK(cells(p) == Cells{{"1>2", {4, 308, 35}}, {"1<3", {1, 9, 1}}, {"1>2147483648", {2, 4, 6}}});
    CHECK(p.sent_bytes.sum == 312);
    CHECK(p.sent_bytes.max_rank == 1);
    CHECK(p.sent_messages.max == 6);
    CHECK(p.received_messages.min == 6);
    CHECK(p.received_bytes.sum == 59);
}

TEST_CASE("a thread may only add the time of a send, or take one back", "[messages]") {
    Rank r(4);
    constexpr std::uint64_t One = 1, Ten = 10, Two = 2;
    r.traffic(0, 1, Direction::Send, Span::Rank, 2, {3, 30, 6});         // three have begun here,
    r.traffic(0, 1, Direction::Send, Span::Rank, 2, {0, 0, 100});        // one of them was seen to end
    r.traffic(0, 1, Direction::Send, Span::Rank, 2, {-One, -Ten, -Two}); // and one cancelled, both by other threads
    r.traffic(0, 2, Direction::Send, Span::Rank, 3, {});                 // begun and cancelled
    Profile p = r.profile();
    REQUIRE(p.messages.size() == 1);
    CHECK(messages_at(p, "a<init")->sent == MessageSum{2, 20, 104});
    CHECK(cells(p) == Cells{{"1>2", {2, 20, 104}}});
}

TEST_CASE("a transfer to a group is a message to each of its members", "[messages]") {
    Rank r(4);
    r.builder.group(1, {{0, 1, 4}}).group(2, {{3, -2, 2}});
    r.traffic(0, 1, Direction::Send, Span::Group, 1, {1, 10, 2})
        .traffic(0, 1, Direction::Send, Span::Others, 2, {2, 7, 4});
    r.traffic(0, 1, Direction::Receive, Span::Others, 1, {1, 100, 3})
        .traffic(0, 2, Direction::Send, Span::Group, 99, {1, 1, 1});
    Profile p = r.profile();
    REQUIRE(p.messages.size() == 1);
    CHECK(messages_at(p, "a<init")->sent == MessageSum{6, 47, 12});
    CHECK(messages_at(p, "a<init")->received == MessageSum{3, 300, 9});
    CHECK(cells(p) == Cells{{"1>0", {1, 10, 2}}, {"1>1", {1, 10, 2}}, {"1>2", {1, 10, 2}}, {"1>3", {3, 17, 6}}});
}

TEST_CASE("with mpi.matrix_per_callpath pairs are kept apart by call path", "[messages]") {
    Rank r(4);
    r.builder.config(R"({"mpi": {"matrix_per_callpath": true}})").group(1, {{0, 1, 2}});
    r.traffic(0, 1, Direction::Send, Span::Rank, 2, {1, 1, 1}).traffic(1, 2, Direction::Send, Span::Rank, 2, {1, 1, 1});
    r.traffic(1, 1, Direction::Send, Span::Others, 1, {1, 5, 1});
    CHECK(cells(r.profile()) == Cells{{"1>2 a<init", {2, 2, 2}}, {"1>0 b<init", {1, 5, 1}}});
}

TEST_CASE("in a large job the heaviest pairs are kept, whatever groups they come from", "[messages]") {
    constexpr std::uint32_t Size = 20000, Own = 12345;
    Rank r(Size, Own);
    std::vector<MessageSum> expected(Size);
    std::mt19937 random(1);
    auto add = [&](std::uint32_t id, const std::vector<vfd::GroupRun>& runs, MessageSum sum, Span span) {
        r.builder.group(id, runs);
        r.traffic(0, 1 + id % 2, Direction::Send, span, id, sum);
        for (const vfd::GroupRun& run : runs)
            for (std::uint32_t i = 0; i < run.count; ++i)
                if (std::uint32_t rank = run.first + i * static_cast<std::uint32_t>(run.stride);
                    span == Span::Group || rank != Own)
                    expected[rank].add(sum);
    };
    add(1, {{0, 1, Size}}, {1, 1000, 1}, Span::Others);
    add(2, {{19999, -3, 6000}}, {2, 50, 1}, Span::Group);
    add(3, {{5, 4999, 4}, {4095, 1, 3}, {Own - 1, 1, 3}}, {1, 77, 1}, Span::Others);
    add(4, {{8191, 0, 1}, {0, 8192, 2}}, {1, 33, 1}, Span::Group);
    for (int i = 0; i < 300; ++i) {
        std::uint32_t rank = random() % Size;
        MessageSum sum{1, random() % 100, 1};
        r.traffic(0, 1, Direction::Send, Span::Rank, rank, sum);
        expected[rank].add(sum);
    }
    Profile p = r.profile();
    REQUIRE(p.matrix.size() == HeaviestPairs);
    std::uint64_t lightest = ~std::uint64_t{0}, bytes = 0, wrong = 0, heavier = 0, pairs = 0;
    for (const MatrixCell& cell : p.matrix) {
        lightest = std::min(lightest, cell.sum.bytes);
        wrong += cell.pair.from != Own || !(cell.sum == expected[cell.pair.to]);
    }
    for (const MessageSum& sum : expected) {
        heavier += sum.bytes > lightest;
        bytes += sum.bytes;
        pairs += sum.messages != 0;
    }
    CHECK(wrong == 0);
    CHECK(heavier < HeaviestPairs);
    CHECK(p.sent_bytes.sum == bytes);
    CHECK(p.lighter_pairs.pairs == pairs - HeaviestPairs);
    for (const MatrixCell& cell : p.matrix)
        bytes -= cell.sum.bytes;
    CHECK(p.lighter_pairs.sum.bytes == bytes);
}

TEST_CASE("messages that were lost are told, of any rank", "[messages]") {
    Rank complete(2, 0), lossy(2, 1);
    lossy.builder.header.flags |= vfd::FlagMessagesLost;
    Profile p = complete.profile();
    CHECK_FALSE(p.summary.messages_lost);
    merge(p, lossy.profile());
    CHECK(p.summary.messages_lost);
}

TEST_CASE("messages of threads and paths that are not there are left out", "[messages]") {
    Rank r(4);
    r.traffic(7, 1, Direction::Send, Span::Rank, 2, {1, 1, 1})
        .traffic(0, 99, Direction::Send, Span::Rank, 2, {1, 1, 1});
    Profile p = r.profile();
    CHECK(p.messages.empty());
    CHECK(p.matrix.empty());
    CHECK(p.sent_messages.sum == 0);
}

TEST_CASE("a process without MPI has no world and no messages", "[messages]") {
    ImageBuilder b;
    b.thread(0, {ImageBuilder::root()});
    Profile p = profile_of(b.open());
    CHECK(p.world_size == 0);
    CHECK(p.messages.empty());
    CHECK(p.sent_bytes.max_rank == 0);
}
