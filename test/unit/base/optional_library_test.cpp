// SPDX-License-Identifier: BSD-3-Clause
#include "base/optional_library.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace vftr;

TEST_CASE("a library that is there has its functions", "[library]") {
    base::OptionalLibrary library("libc.so.6");
    CHECK(library.complete());
    CHECK(library.shares("abs"));
    int (*absolute)(int) = nullptr;
    library.find("abs", absolute);
    REQUIRE(library.complete());
    CHECK(absolute(-2) == 2);
}

TEST_CASE("a library without one of the functions is not complete", "[library]") {
    base::OptionalLibrary library("libc.so.6");
    int (*function)(int) = &std::abs;
    library.find("vftr_no_such_function", function);
    CHECK(function == nullptr);
    CHECK_FALSE(library.complete());
    library.find("abs", function);
    CHECK_FALSE(library.complete());
}

TEST_CASE("a library that is not there, or would not do, is not complete", "[library]") {
    base::OptionalLibrary absent("libvftr_no_such_library.so");
    int (*function)(int) = &std::abs;
    absent.find("abs", function);
    CHECK(function == nullptr);
    CHECK_FALSE(absent.complete());
    CHECK_FALSE(absent.shares("abs"));
    CHECK_FALSE(base::OptionalLibrary("libc.so.6", "vftr_no_such_function").complete());
}
