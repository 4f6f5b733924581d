// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/patterns.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace vftr::mpi;
using vftr::vfd::Direction;

namespace {

constexpr Direction S = Direction::Send, R = Direction::Receive;

struct Found {
    std::vector<Move> moves;
    void operator()(const Move& move) { moves.push_back(move); }
};
auto constant(std::uint64_t bytes) {
    return [bytes] { return bytes; };
}
// 10 bytes to or from place 0, 20 for place 1, …; none for place 2.
const auto growing = [](std::int32_t i) {
    return i == 2 ? std::uint64_t{0} : 10u * (static_cast<std::uint64_t>(i) + 1);
};
// An argument without a meaning on this rank.
const auto garbage = []() -> std::uint64_t {
    FAIL("looked at an argument that has no meaning here");
    return 0;
};

Shape intra(std::int32_t size, std::int32_t own) { return {size, own, false, size, own}; }
Shape inter(std::int32_t remote, std::int32_t local, std::int32_t own) { return {remote, -1, true, local, own}; }

template <class Pattern>
std::vector<Move> moves(Pattern pattern) {
    Found found;
    pattern(found);
    return found.moves;
}

} // namespace

TEST_CASE("a broadcast goes from the root to everyone, itself included", "[patterns]") {
    CHECK(moves([](Found& f) { one_to_all(intra(4, 1), 1, false, Equal{constant(8)}, constant(8), f); }) ==
          std::vector<Move>{{S, Everyone, 8}, {R, 1, 8}});
    CHECK(moves([](Found& f) { one_to_all(intra(4, 2), 1, false, Equal{garbage}, constant(8), f); }) ==
          std::vector<Move>{{R, 1, 8}});
    CHECK(moves([](Found& f) { one_to_all(intra(4, 1), 1, false, Equal{constant(0)}, constant(0), f); }).empty());
}

TEST_CASE("a scatter in place leaves out the root", "[patterns]") {
    CHECK(moves([](Found& f) { one_to_all(intra(4, 1), 1, true, Equal{constant(8)}, garbage, f); }) ==
          std::vector<Move>{{S, EveryoneElse, 8}});
    CHECK(moves([](Found& f) { one_to_all(intra(4, 1), 1, true, Each{growing}, garbage, f); }) ==
          std::vector<Move>{{S, 0, 10}, {S, 3, 40}});
    CHECK(moves([](Found& f) { one_to_all(intra(1, 0), 0, true, Equal{constant(8)}, garbage, f); }).empty());
}

TEST_CASE("on an intercommunicator the remote group is served", "[patterns]") {
    CHECK(moves([](Found& f) { one_to_all(inter(3, 2, 0), RootIsHere, false, Equal{constant(8)}, garbage, f); }) ==
          std::vector<Move>{{S, Everyone, 8}});
    CHECK(
        moves([](Found& f) { one_to_all(inter(3, 2, 1), RootIsBesideMe, false, Equal{garbage}, garbage, f); }).empty());
    CHECK(moves([](Found& f) { one_to_all(inter(2, 3, 1), 0, false, Equal{garbage}, constant(8), f); }) ==
          std::vector<Move>{{R, 0, 8}});
    CHECK(moves([](Found& f) { all_to_one(inter(2, 3, 1), 0, false, constant(8), Equal{garbage}, f); }) ==
          std::vector<Move>{{S, 0, 8}});
    CHECK(moves([](Found& f) { all_to_one(inter(2, 3, 1), RootIsHere, false, garbage, Equal{constant(8)}, f); }) ==
          std::vector<Move>{{R, Everyone, 8}});
    CHECK(moves([](Found& f) { all_to_all(inter(2, 3, 1), false, Equal{constant(8)}, Each{growing}, f); }) ==
          std::vector<Move>{{S, Everyone, 8}, {R, 0, 10}, {R, 1, 20}});
}

TEST_CASE("a gather comes from everyone to the root", "[patterns]") {
    CHECK(moves([](Found& f) { all_to_one(intra(4, 3), 0, false, constant(4), Equal{garbage}, f); }) ==
          std::vector<Move>{{S, 0, 4}});
    CHECK(moves([](Found& f) { all_to_one(intra(4, 0), 0, false, constant(4), Each{growing}, f); }) ==
          std::vector<Move>{{S, 0, 4}, {R, 0, 10}, {R, 1, 20}, {R, 3, 40}});
    CHECK(moves([](Found& f) { all_to_one(intra(4, 0), 0, true, garbage, Each{growing}, f); }) ==
          std::vector<Move>{{R, 1, 20}, {R, 3, 40}});
}

TEST_CASE("all-to-all moves in place to all but oneself", "[patterns]") {
    CHECK(moves([](Found& f) { all_to_all(intra(3, 1), false, Equal{constant(8)}, Equal{constant(8)}, f); }) ==
          std::vector<Move>{{S, Everyone, 8}, {R, Everyone, 8}});
    CHECK(moves([](Found& f) { all_to_all(intra(3, 1), true, Equal{constant(8)}, Equal{constant(8)}, f); }) ==
          std::vector<Move>{{S, EveryoneElse, 8}, {R, EveryoneElse, 8}});
    CHECK(moves([](Found& f) { all_to_all(intra(4, 1), true, Each{growing}, Each{growing}, f); }) ==
          std::vector<Move>{{S, 0, 10}, {S, 3, 40}, {R, 0, 10}, {R, 3, 40}});
}

TEST_CASE("a scan goes from each to the next", "[patterns]") {
    CHECK(moves([](Found& f) { chain(intra(3, 0), constant(8), f); }) == std::vector<Move>{{S, 1, 8}});
    CHECK(moves([](Found& f) { chain(intra(3, 1), constant(8), f); }) == std::vector<Move>{{S, 2, 8}, {R, 0, 8}});
    CHECK(moves([](Found& f) { chain(intra(3, 2), constant(8), f); }) == std::vector<Move>{{R, 1, 8}});
    CHECK(moves([](Found& f) { chain(intra(1, 0), constant(8), f); }).empty());
}

TEST_CASE("a reduce-scatter is a reduction to the first and a scatter from there", "[patterns]") {
    const auto at = [](const Shape& shape, bool in_place, std::uint64_t own) {
        return moves([&](Found& f) { reduce_scatter(shape, in_place, constant(70), Each{growing}, constant(own), f); });
    };
    CHECK(at(intra(4, 1), false, 20) == std::vector<Move>{{S, 0, 70}, {R, 0, 20}});
    CHECK(at(intra(4, 0), false, 10) ==
          std::vector<Move>{{S, 0, 70}, {R, Everyone, 70}, {S, 0, 10}, {S, 1, 20}, {S, 3, 40}, {R, 0, 10}});
    CHECK(at(intra(4, 0), true, 10) == std::vector<Move>{{R, EveryoneElse, 70}, {S, 1, 20}, {S, 3, 40}});
    CHECK(at(intra(4, 1), true, 20) == std::vector<Move>{{S, 0, 70}, {R, 0, 20}});
    CHECK(at(inter(2, 4, 1), false, 20) == std::vector<Move>{{S, 0, 70}, {R, 0, 20, true}});
    CHECK(at(inter(2, 4, 0), false, 10) ==
          std::vector<Move>{
              {S, 0, 70}, {R, Everyone, 70}, {S, 0, 10, true}, {S, 1, 20, true}, {S, 3, 40, true}, {R, 0, 10, true}});
}

TEST_CASE("neighbours that are none move nothing", "[patterns]") {
    const std::vector<int> sources{3, -2, 0}, destinations{-2, 1};
    CHECK(moves([&](Found& f) { neighbours(sources, destinations, growing, growing, f); }) ==
          std::vector<Move>{{S, 1, 20}, {R, 3, 10}});
}
