// SPDX-License-Identifier: BSD-3-Clause
#include "filter/runtime_overrides.hpp"

#include <catch2/catch.hpp>

using namespace vftr::filter;

TEST_CASE("what was said last of a place holds, and nothing is said of others", "[filter][overrides]") {
    static auto& overrides = *new RuntimeOverrides; // never destroyed
    CHECK(overrides.none());
    CHECK(overrides.of("here") == RuntimeOverride::None);
    overrides.set("here", RuntimeOverride::Exclude);
    overrides.set("there", RuntimeOverride::Include);
    CHECK_FALSE(overrides.none());
    CHECK(overrides.of("here") == RuntimeOverride::Exclude);
    CHECK(overrides.of("there") == RuntimeOverride::Include);
    CHECK(overrides.of("her") == RuntimeOverride::None);
    overrides.set("here", RuntimeOverride::Include);
    CHECK(overrides.of("here") == RuntimeOverride::Include);
}
