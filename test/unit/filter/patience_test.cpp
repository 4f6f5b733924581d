// SPDX-License-Identifier: BSD-3-Clause
#include "filter/patience.hpp"

#include <catch2/catch.hpp>
#include <memory>

using namespace vftr::filter;
using Answer = Patience::Answer;

namespace {

constexpr std::uint64_t Function = 0x555500001000;

// Places that come once and are changed at once.
void use_up(Patience& patience) {
    for (std::uint32_t i = 0; i < Patience::AtOnce; ++i)
        patience.on_enter(Function + 64 * i, i + 1);
}

} // namespace

TEST_CASE("the first places are changed when they are met, and nobody is told twice", "[filter]") {
    const auto patience = std::make_unique<Patience>();
    for (std::uint32_t i = 0; i < Patience::AtOnce; ++i) {
        CHECK(patience->on_enter(Function, 100 + i) == Answer::Change);
        CHECK(patience->on_enter(Function, 100 + i) == Answer::Done);
    }
    CHECK(patience->on_enter(Function, 1) == Answer::Wait);
}

TEST_CASE("each later place is changed when it comes again and again", "[filter]") {
    const auto patience = std::make_unique<Patience>();
    use_up(*patience);
    const std::uint64_t other = Function + 0x100000;
    for (std::uint32_t call = 1; call < Patience::Calls; ++call)
        for (std::uint64_t function : {Function, other})
            CHECK(patience->on_enter(function, 7) == Answer::Wait);
    CHECK(patience->on_enter(Function, 8) == Answer::Wait);
    for (std::uint64_t function : {Function, other}) {
        CHECK(patience->on_enter(function, 7) == Answer::Change);
        CHECK(patience->on_enter(function, 7) == Answer::Done);
    }
    patience->forget();
    CHECK(patience->on_enter(Function, 7) == Answer::Wait);
}

TEST_CASE("the ends of calls do not answer for their beginnings, unless there are none", "[filter]") {
    const auto patience = std::make_unique<Patience>();
    use_up(*patience);
    for (std::uint32_t i = 0; i < Patience::Leaves; ++i)
        CHECK(patience->on_leave(0x1000, Function) == Answer::Wait);
    CHECK(patience->on_leave(0x1000, Function) == Answer::Done);
    CHECK(patience->on_leave(0x2000, Function) == Answer::Wait);
    CHECK(patience->on_enter(Function, 7) == Answer::Wait);
}

TEST_CASE("where there is no room for a place its calls are answered now and then", "[filter]") {
    const auto patience = std::make_unique<Patience>();
    std::uint32_t changes = 0;
    constexpr std::uint32_t Places = 1 << 17;
    for (std::uint32_t i = 0; i < Places; ++i)
        changes += patience->on_enter(Function + 64 * std::uint64_t{i}, i + 1) == Answer::Change;
    CHECK(changes > Places / Patience::Calls / 2);
    CHECK(changes < Places / Patience::Calls + Patience::AtOnce);
}
