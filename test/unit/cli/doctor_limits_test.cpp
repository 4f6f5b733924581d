// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/doctor.hpp"

#include <catch2/catch.hpp>

using namespace vftr::cli;

namespace {

constexpr unsigned long long None = ~0ull;

std::vector<Finding> found(const Limits& limits) {
    Findings findings;
    check_limits(limits, findings);
    return findings.all();
}

} // namespace

TEST_CASE("no limit is nothing to speak of", "[cli]") {
    REQUIRE(found({None, None, None, None, 65530}).empty());
    REQUIRE(found({None, None, None, 1024, 0}).empty());
}

TEST_CASE("a limit that a recording does not fit into is a problem", "[cli]") {
    for (const Limits& limits : {Limits{4096, None, None, 1024, 65530}, Limits{None, 1 << 20, None, 1024, 65530},
                                 Limits{None, None, None, 4, 65530}, Limits{None, None, None, 1024, 100}}) {
        std::vector<Finding> findings = found(limits);
        REQUIRE(findings.size() == 1);
        REQUIRE_FALSE(findings[0].good);
        REQUIRE(findings[0].text.find("; raise ") != std::string::npos);
    }
    REQUIRE(found({None, None, None, 1024, 100})[0].text.find("vm.max_map_count") != std::string::npos);
}

TEST_CASE("a limit that only matters later is told", "[cli]") {
    for (const Limits& limits : {Limits{1ull << 30, None, None, 1024, 65530},
                                 Limits{None, 1ull << 40, None, 1024, 65530}, Limits{None, None, 0, 1024, 65530}}) {
        std::vector<Finding> findings = found(limits);
        REQUIRE(findings.size() == 1);
        REQUIRE(findings[0].good);
    }
}
