// SPDX-License-Identifier: BSD-3-Clause
#include "filter/wishes.hpp"

#include <catch2/catch.hpp>

using namespace vftr::filter;

TEST_CASE("what was said last of a place holds, and nothing is said of others", "[filter][wishes]") {
    static auto& wishes = *new Wishes; // never destroyed
    CHECK(wishes.none());
    CHECK(wishes.of("here") == Wish::None);
    wishes.set("here", Wish::Exclude);
    wishes.set("there", Wish::Include);
    CHECK_FALSE(wishes.none());
    CHECK(wishes.of("here") == Wish::Exclude);
    CHECK(wishes.of("there") == Wish::Include);
    CHECK(wishes.of("her") == Wish::None);
    wishes.set("here", Wish::Include);
    CHECK(wishes.of("here") == Wish::Include);
}
