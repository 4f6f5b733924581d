// SPDX-License-Identifier: BSD-3-Clause
#include "inherit/provenance.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace vftr::inherit;

TEST_CASE("a provenance is read as it was written", "[follow][provenance]") {
    Provenance provenance{4194303, 18446744073709551615ull, 4000000000u, {}};
    char text[ProvenanceSize];
    CHECK(write_provenance(provenance, text) == "4194303.18446744073709551615.4000000000.");
    set_token(provenance, 4194303, 0);
    CHECK(std::string(provenance.token) == "4194303");
    set_token(provenance, 4194303, 4294967295u);
    std::string written(write_provenance(provenance, text));
    CHECK(written == "4194303.18446744073709551615.4000000000.4194303s4294967295");
    Provenance read;
    REQUIRE(read_provenance(written.c_str(), read));
    CHECK(read.pid == provenance.pid);
    CHECK(read.start_realtime_ns == provenance.start_realtime_ns);
    CHECK(read.generation == provenance.generation);
    CHECK(std::string(read.token) == provenance.token);
}

TEST_CASE("what is no provenance says nothing", "[follow][provenance]") {
    for (const char* text : {"", "1", "1.2", "1.2.3", "a.2.3.", "1..3.", ".2.3.", "0.2.3.", "-1.2.3.", "1.2.3.x",
                             "1.2.3./", "1.2.3.../", "99999999999.2.3.", "1.99999999999999999999.3.", "1.2.4294967296.",
                             "1.2.3.123456789012345678901234567890123"}) {
        INFO(text);
        Provenance provenance;
        CHECK_FALSE(read_provenance(text, provenance));
        CHECK(provenance.pid == 0);
    }
    Provenance provenance;
    CHECK_FALSE(read_provenance(nullptr, provenance));
}
