// SPDX-License-Identifier: BSD-3-Clause
#include "session/descent.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <string>
#include <unistd.h>

using namespace vftr::session;

TEST_CASE("a process that nobody recorded started stands alone", "[session][descent]") {
    for (const char* parent : {static_cast<const char*>(nullptr), "", "nonsense"}) {
        Descent descent = descent_of(parent, 100, 5000);
        CHECK_FALSE(descent.followed());
        CHECK_FALSE(descent.is_child());
        CHECK_FALSE(descent.successor);
    }
}

TEST_CASE("another process's recording makes this one its child", "[session][descent]") {
    for (const char* parent : {"99.5000.1.", "99.5000.1.99"}) {
        Descent descent = descent_of(parent, 100, 5000);
        CHECK(descent.followed());
        CHECK(descent.is_child());
        CHECK_FALSE(descent.successor);
        CHECK(descent.lineage.start_realtime_ns == 5000);
    }
}

TEST_CASE("the next program of a process is named as the one before", "[session][descent]") {
    Descent plain = descent_of("100.5000.2.", 100, 4000);
    CHECK(plain.successor);
    CHECK(plain.followed());
    CHECK_FALSE(plain.is_child());
    CHECK(plain.lineage.generation == 2);
    Descent child = descent_of("100.5000.2.100", 100, 4000);
    CHECK(child.successor);
    CHECK(child.is_child());
}

TEST_CASE("a process that has the pid of an older one is not its next program", "[session][descent]") {
    CHECK_FALSE(descent_of("100.5000.2.", 100, 10'000'000'000).successor);
    CHECK(descent_of("100.5000.2.", 100, 0).successor); // no /proc
}

TEST_CASE("this process is the next program of a recording of its own pid", "[session][descent]") {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    std::string parent = std::to_string(getpid()) + "." + std::to_string(now.tv_sec) + "000000000.1.";
    ::setenv("VFTR_PARENT", parent.c_str(), 1);
    CHECK(own_descent(false).successor);
    CHECK(own_descent(true).is_child());
    CHECK_FALSE(own_descent(true).followed());
    ::setenv("VFTR_PARENT", (std::to_string(getpid()) + ".1000000000.1.").c_str(), 1);
    CHECK_FALSE(own_descent(false).successor);
    ::unsetenv("VFTR_PARENT");
}
