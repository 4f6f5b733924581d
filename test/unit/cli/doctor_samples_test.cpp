// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/doctor.hpp"

#include <catch2/catch.hpp>

#include <cerrno>

using namespace vftr::cli;

namespace {

// It is no problem, as everything else is recorded all the same.
std::string said_of(const SamplePermission& permission) {
    Findings findings;
    check_samples(permission, findings);
    REQUIRE(findings.all().size() == 1);
    REQUIRE(findings.all()[0].good);
    return findings.all()[0].text;
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("that samples are permitted is said", "[cli]") {
    CHECK(contains(said_of({false, 0, 0}), "permits CPU samples"));
}

TEST_CASE("why there are no samples is said, and what permits them", "[cli]") {
    CHECK(contains(said_of({true, 0, 0}), "seccomp"));
    const std::string refused = said_of({false, EACCES, 3});
    CHECK(contains(refused, "kernel.perf_event_paranoid at 2, which is 3 here"));
    CHECK(contains(refused, "estimates"));
    CHECK(contains(said_of({false, ENOSYS, 2}), "Function not implemented"));
}

TEST_CASE("the kernel is asked", "[cli]") {
    const SamplePermission permission = sample_permission();
    CHECK((permission.error == 0 || !permission.filtered));
}
