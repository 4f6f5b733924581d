// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/scratch.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>

using vftr::mpi::Scratch;

TEST_CASE("scratch memory is used again and grows", "[scratch]") {
    void* first;
    {
        Scratch small(100);
        first = small.data();
        REQUIRE(first);
        CHECK(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
        std::memset(first, 1, 100);
    }
    {
        Scratch again(1000), other(1000);
        CHECK(again.data() == first);
        CHECK(other.data() != first);
    }
    Scratch large(10'000'000);
    REQUIRE(large.data());
    std::memset(large.data(), 1, 10'000'000);
    CHECK(Scratch(0).data() == nullptr);
}
