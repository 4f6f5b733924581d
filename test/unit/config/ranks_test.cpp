// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.hpp"

#include <catch2/catch.hpp>

using vftr::config::RankSet;

namespace {

std::string members(const char* list) {
    auto ranks = RankSet::parse(list, nullptr);
    REQUIRE(ranks);
    std::string text;
    for (int rank = 0; rank < 100; ++rank)
        if (ranks->contains(rank))
            text += std::to_string(rank) + " ";
    return text;
}

std::pair<std::size_t, std::string> fault(const char* list) {
    RankSet::Error error{99, ""};
    CHECK_FALSE(RankSet::parse(list, &error));
    return {error.offset, error.message};
}

} // namespace

TEST_CASE("A range list holds exactly the ranks that it names") {
    CHECK(members("1,4,6,15-23") == "1 4 6 15 16 17 18 19 20 21 22 23 ");
    CHECK(members("7") == "7 ");
    CHECK(members("5-5") == "5 ");
    CHECK(members("0") == "0 ");
    CHECK(members("9,1-3,2-5,4") == "1 2 3 4 5 9 ");
    CHECK(members("1-20,2-3,30") == "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 30 ");
}

TEST_CASE("Spaces in a range list are fine") {
    CHECK(members(" 1 , 4 - 6 ,\t8 ") == "1 4 5 6 8 ");
    CHECK(RankSet::parse(" all ", nullptr)->contains(1000000));
}

TEST_CASE("all holds every rank and none holds no rank") {
    CHECK(RankSet::all().contains(0));
    CHECK(RankSet::all().contains(2147483647));
    CHECK_FALSE(RankSet::none().contains(0));
    CHECK_FALSE(RankSet::parse("3-5", nullptr)->contains(-1));
}

TEST_CASE("A range list keeps the text of the user") {
    CHECK(RankSet::parse("4, 1-2", nullptr)->text() == "4, 1-2");
    CHECK(RankSet::all().text() == "all");
    CHECK(RankSet::none().text() == "none");
}

TEST_CASE("A bad range list says what is wrong and where") {
    using Fault = std::pair<std::size_t, std::string>;
    CHECK(fault("5-2") == Fault{0, "this range runs backwards"});
    CHECK(fault("1, 5-2") == Fault{3, "this range runs backwards"});
    CHECK(fault("1,,2") == Fault{2, "a number is missing after the comma"});
    CHECK(fault("1,") == Fault{2, "a number is missing after the comma"});
    CHECK(fault(",1") == Fault{0, "a number is missing at the start of the list"});
    CHECK(fault("2-") == Fault{2, "a number is missing after the '-'"});
    CHECK(fault("-2") == Fault{0, "a number is missing at the start of the list"});
    CHECK(fault("1 2") == Fault{2, "a comma is expected here"});
    CHECK(fault("1-2-3") == Fault{3, "a comma is expected here"});
    CHECK(fault("1,all") == Fault{2, "a number is missing after the comma"});
    CHECK(fault("ALL") == Fault{0, "a number is missing at the start of the list"});
    CHECK(fault("") == Fault{0, "the list is empty"});
    CHECK(fault("  ") == Fault{0, "the list is empty"});
    CHECK(fault("1,99999999999999999999") == Fault{2, "this number is too large"});
}

TEST_CASE("The largest rank that MPI can have is a rank") {
    CHECK(RankSet::parse("0-2147483647", nullptr)->contains(2147483647));
    CHECK(fault("2147483648").second == "this number is too large");
}
