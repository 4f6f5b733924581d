// SPDX-License-Identifier: BSD-3-Clause
#include "compare/scaling.hpp"

#include "compared.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace vftr;
using compare::ScalingKind;

namespace {

// A job whose ranks are so many ms in solve and in serial each.
analysis::Profile job_of(std::int32_t ranks, std::uint64_t solve, std::uint64_t serial) {
    analysis::Profile all;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        analysis::Profile one = test::one_rank(rank);
        test::add(one, "solve<init", 1, solve * test::Ms, solve * test::Ms);
        test::add(one, "serial<init", 1, serial * test::Ms, serial * test::Ms);
        analysis::RankTimes times;
        times.runtime = (solve + serial) * test::Ms;
        one.summary.times = {times, rank};
        analysis::merge(all, one);
    }
    return all;
}

const compare::ScalingRow& row_named(const compare::Scaling& scaling, const std::string& name) {
    for (const compare::ScalingRow& row : scaling.rows)
        if (row.name == name)
            return row;
    throw std::runtime_error("no row " + name);
}

} // namespace

TEST_CASE("what is lacking in the runs of a scale is said", "[compare]") {
    analysis::Profile killed = test::run_of({{"main<init", 1, 100}});
    killed.summary.unfinished = 1;
    const compare::Scaling its =
        compare::scaling({{test::run_of({{"main<init", 1, 100}})}, {killed}}, compare::ScalingKind::Strong, {});
    CHECK_THAT(compare::scaling_text(its, 0), Catch::Contains("\n1 rank: 1 recording was not closed"));
}

TEST_CASE("strong scaling compares what all ranks do together", "[compare]") {
    const compare::Scaling scaling = compare::scaling(
        {{job_of(1, 400, 100)}, {job_of(2, 200, 100)}, {job_of(4, 100, 100)}}, ScalingKind::Strong, {});
    CHECK(scaling.ranks == std::vector<std::uint32_t>{1, 2, 4});
    CHECK(scaling.rows.front().name == "serial");
    CHECK(row_named(scaling, "solve").efficiency.at(2)->value == Approx(1));
    CHECK(row_named(scaling, "serial").efficiency.at(1)->value == Approx(0.5));
    CHECK(row_named(scaling, "serial").efficiency.at(2)->value == Approx(0.25));
    CHECK(row_named(scaling, "serial").lost() == Approx(0.3));
    CHECK(scaling.application.efficiency.at(1)->value == Approx(0.5 / (2 * 0.3)));
    CHECK(scaling.application.efficiency.at(2)->value == Approx(0.5 / (4 * 0.2)));
    CHECK(row_named(scaling, "serial").efficiency.at(1)->low < 0.5);
    const std::string text = compare::scaling_text(scaling, 1);
    CHECK_THAT(text, Catch::StartsWith("Strong scaling from 1 rank to 4 ranks: efficiency 62.5 (") &&
                         Catch::Contains("application time 0.500 s, then 0.200 s; most is lost in serial: 0.300 s") &&
                         Catch::Contains("1 more rows"));
}

TEST_CASE("weak scaling compares what a rank does", "[compare]") {
    const compare::Scaling scaling =
        compare::scaling({{job_of(1, 400, 100)}, {job_of(4, 400, 200)}}, ScalingKind::Weak, {});
    CHECK(row_named(scaling, "solve").efficiency.at(1)->value == Approx(1));
    CHECK(row_named(scaling, "serial").efficiency.at(1)->value == Approx(0.5));
    CHECK(scaling.application.efficiency.at(1)->value == Approx(5.0 / 6));
}

TEST_CASE("an interval that says nothing is not printed", "[compare]") {
    compare::Scaling scaling{ScalingKind::Strong, {1, 2}, {3, 3}, {}, {"(application time)", {1, 1}, {}}, {}};
    scaling.application.efficiency = {compare::Efficiency(), compare::Efficiency{0.5, 0.4, 0.6}};
    scaling.rows.push_back(
        {"tiny", {0.001, 0.001}, {compare::Efficiency(), compare::Efficiency{0.55, 1e-9, 123456789}}});
    scaling.rows.push_back({"new", {0.001, 0.0}, {compare::Efficiency(), compare::Efficiency{12, 9, 20}}});
    const std::string text = compare::scaling_text(scaling, 0);
    CHECK_THAT(text, Catch::Contains(" 50.0 (40..60) |") && Catch::Contains(" 55.0 (?) |") &&
                         Catch::Contains(" >999 (900..>999) |") && !Catch::Contains("123456789") &&
                         Catch::Contains("(?): not known") && !Catch::Contains("One run of each scale"));
    scaling.rows.clear();
    scaling.runs = {1, 1};
    CHECK_THAT(compare::scaling_text(scaling, 0),
               !Catch::Contains("(?)") && Catch::Contains("One run of each scale does not tell"));
}
