// SPDX-License-Identifier: BSD-3-Clause
#include "session/lifecycle/recording_origin.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <string>
#include <unistd.h>

using namespace vftr::session;

TEST_CASE("a process that nobody recorded started stands alone", "[session][origin]") {
    for (const char* parent : {static_cast<const char*>(nullptr), "", "nonsense"}) {
        RecordingOrigin origin = origin_of(parent, 100, 5000);
        CHECK_FALSE(origin.followed());
        CHECK_FALSE(origin.is_child());
        CHECK_FALSE(origin.successor);
    }
}

TEST_CASE("another process's recording makes this one its child", "[session][origin]") {
    for (const char* parent : {"99.5000.1.", "99.5000.1.99"}) {
        RecordingOrigin origin = origin_of(parent, 100, 5000);
        CHECK(origin.followed());
        CHECK(origin.is_child());
        CHECK_FALSE(origin.successor);
        CHECK(origin.provenance.start_realtime_ns == 5000);
    }
}

TEST_CASE("the next program of a process is named as the one before", "[session][origin]") {
    RecordingOrigin plain = origin_of("100.5000.2.", 100, 4000);
    CHECK(plain.successor);
    CHECK(plain.followed());
    CHECK_FALSE(plain.is_child());
    CHECK(plain.provenance.generation == 2);
    RecordingOrigin child = origin_of("100.5000.2.100", 100, 4000);
    CHECK(child.successor);
    CHECK(child.is_child());
}

TEST_CASE("a process that has the pid of an older one is not its next program", "[session][origin]") {
    CHECK_FALSE(origin_of("100.5000.2.", 100, 10'000'000'000).successor);
    CHECK(origin_of("100.5000.2.", 100, 0).successor); // no /proc
}

TEST_CASE("this process is the next program of a recording of its own pid", "[session][origin]") {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    std::string parent = std::to_string(getpid()) + "." + std::to_string(now.tv_sec) + "000000000.1.";
    ::setenv("VFTR_PARENT", parent.c_str(), 1);
    CHECK(own_origin(false).successor);
    CHECK(own_origin(true).is_child());
    CHECK_FALSE(own_origin(true).followed());
    ::setenv("VFTR_PARENT", (std::to_string(getpid()) + ".1000000000.1.").c_str(), 1);
    CHECK_FALSE(own_origin(false).successor);
    ::unsetenv("VFTR_PARENT");
}
