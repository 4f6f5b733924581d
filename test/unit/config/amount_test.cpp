// SPDX-License-Identifier: BSD-3-Clause
#include "config/amount.hpp"

#include <catch2/catch.hpp>

using namespace vftr::config;

TEST_CASE("an amount is a time or a size") {
    CHECK(parse_amount("10 s")->seconds == 10);
    CHECK(parse_amount("10 s")->bytes == 0);
    CHECK(parse_amount("500ms")->seconds == 0.5);
    CHECK(parse_amount("1.5 min")->seconds == 90);
    CHECK(parse_amount("64 MiB")->bytes == 64u << 20);
    CHECK(parse_amount("64 MiB")->seconds == 0);
    CHECK(parse_amount("0.5GiB")->bytes == 512u << 20);
}

TEST_CASE("what is no amount, or too much or too little, is refused") {
    for (const char* text : {"",        "s",      "10",        "10 h",       "-1 s",         "0 s",   "nan s",
                             "inf s",   "1e3 s",  "10  s",     "10 s ",      " 10 s",        "10 MB", "1 KiB",
                             "0.5 MiB", "0.5 ms", "1 s 1 MiB", "99999999 s", "99999999 GiB", "1,5 s"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_amount(text));
        CHECK(amount_fault(text));
    }
}

TEST_CASE("of what is no amount it is said why") {
    CHECK(amount_fault("10 s") == nullptr);
    CHECK(amount_fault("ten s") == std::string("this does not begin with a number"));
    CHECK(amount_fault("10 h") == std::string("there is no such unit"));
    CHECK(amount_fault("10") == std::string("the unit is missing"));
    CHECK(amount_fault("0.5 MiB") == std::string("this is too little"));
    CHECK(amount_fault("99999999 min") == std::string("this is too much"));
    CHECK(amount_fault("nan s") == std::string("this is too little"));
}
