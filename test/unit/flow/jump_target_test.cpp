// SPDX-License-Identifier: BSD-3-Clause
#include "flow/jump_target.hpp"

#include <catch2/catch.hpp>

using vftr::flow::target_of;

namespace {

__attribute__((noinline)) std::uint64_t inner_target() {
    std::jmp_buf buffer;
    return _setjmp(buffer) == 0 ? target_of(buffer) : 0;
}

} // namespace

TEST_CASE("the stack pointer that a jump goes to is that of the function that called setjmp", "[flow]") {
    auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    std::jmp_buf buffer;
    REQUIRE(_setjmp(buffer) == 0);
    const std::uint64_t target = target_of(buffer);
    CHECK(target <= here); // equal where the frame record is the lowest of the frame (aarch64)
    CHECK(here - target < 65536);
    CHECK(inner_target() < target);
    CHECK(target_of(buffer) == target);
}
