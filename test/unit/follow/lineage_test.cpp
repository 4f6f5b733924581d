// SPDX-License-Identifier: BSD-3-Clause
#include "follow/lineage.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace vftr::follow;

TEST_CASE("a lineage is read as it was written", "[follow][lineage]") {
    Lineage lineage{4194303, 18446744073709551615ull, 4000000000u, {}};
    char text[LineageSize];
    CHECK(write_lineage(lineage, text) == "4194303.18446744073709551615.4000000000.");
    set_token(lineage, 4194303, 0);
    CHECK(std::string(lineage.token) == "4194303");
    set_token(lineage, 4194303, 4294967295u);
    std::string written(write_lineage(lineage, text));
    CHECK(written == "4194303.18446744073709551615.4000000000.4194303s4294967295");
    Lineage read;
    REQUIRE(read_lineage(written.c_str(), read));
    CHECK(read.pid == lineage.pid);
    CHECK(read.start_realtime_ns == lineage.start_realtime_ns);
    CHECK(read.generation == lineage.generation);
    CHECK(std::string(read.token) == lineage.token);
}

TEST_CASE("what is no lineage says nothing", "[follow][lineage]") {
    for (const char* text : {"", "1", "1.2", "1.2.3", "a.2.3.", "1..3.", ".2.3.", "0.2.3.", "-1.2.3.", "1.2.3.x", "1.2.3./", "1.2.3.../",
                             "99999999999.2.3.", "1.99999999999999999999.3.", "1.2.4294967296.", "1.2.3.123456789012345678901234567890123"}) {
        INFO(text);
        Lineage lineage;
        CHECK_FALSE(read_lineage(text, lineage));
        CHECK(lineage.pid == 0);
    }
    Lineage lineage;
    CHECK_FALSE(read_lineage(nullptr, lineage));
}
