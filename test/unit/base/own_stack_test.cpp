// SPDX-License-Identifier: BSD-3-Clause
#include "base/own_stack.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

using namespace vftr::base;

extern "C" {
void __asan_init() __attribute__((weak));
void __tsan_init() __attribute__((weak));
}

namespace {

// A sanitizer leaves every job on the caller's stack.
bool sanitized() { return __asan_init || __tsan_init; }

struct Seen {
    std::uintptr_t place = 0;
    bool blocked = false, caught = false;
};

bool usr1_is_blocked() {
    sigset_t mask;
    sigprocmask(SIG_SETMASK, nullptr, &mask);
    return sigismember(&mask, SIGUSR1) == 1;
}

void look(void* data) {
    auto* seen = static_cast<Seen*>(data);
    seen->place = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    seen->blocked = usr1_is_blocked();
    try {
        throw std::runtime_error(std::string(1000, 'x'));
    } catch (const std::exception&) {
        seen->caught = true;
    }
}

std::uintptr_t distance(std::uintptr_t a, std::uintptr_t b) { return a > b ? a - b : b - a; }

} // namespace

TEST_CASE("a job runs on a stack of its own, exceptions and all", "[base][own_stack]") {
    Seen seen;
    on_own_stack(100000, Signals::AsTheyAre, look, &seen);
    // On the caller's stack it would be a few frames away; under an emulator the two stacks may be neighbours.
    CHECK((sanitized() || distance(seen.place, reinterpret_cast<std::uintptr_t>(&seen)) > 1 << 16));
    CHECK(seen.caught);
    CHECK_FALSE(seen.blocked);
}

TEST_CASE("signals can be kept away from a job, and come again after it", "[base][own_stack]") {
    Seen seen;
    on_own_stack(100000, Signals::Blocked, look, &seen);
    CHECK(seen.blocked);
    CHECK_FALSE(usr1_is_blocked());
}

namespace {

std::uintptr_t handled_at;

// Waits until the job is over.
void raise_usr1(void*) { raise(SIGUSR1); }

} // namespace

TEST_CASE("a signal that came during a job is handled on the caller's stack", "[base][own_stack]") {
    const auto before =
        std::signal(SIGUSR1, [](int) { handled_at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); });
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const auto near = [&] { return distance(std::exchange(handled_at, 0), here) < 1 << 16; };
    on_own_stack(100000, Signals::Blocked, raise_usr1, nullptr);
    CHECK(near());
    on_kept_stack(raise_usr1, nullptr);
    CHECK(near());
    std::signal(SIGUSR1, before);
}

TEST_CASE("without memory for a stack a job runs on the caller's", "[base][own_stack]") {
    Seen seen;
    on_own_stack(std::size_t{1} << 60, Signals::AsTheyAre, look, &seen);
    CHECK(distance(seen.place, reinterpret_cast<std::uintptr_t>(&seen)) < 100000);
    CHECK(seen.caught);
}

TEST_CASE("jobs that come often have one stack, and one within another has another one", "[base][own_stack]") {
    struct Both {
        Seen outer, inner;
    } both, later;
    const auto take_slow_path = [](void* data) {
        auto* both = static_cast<Both*>(data);
        look(&both->outer);
        on_kept_stack(look, &both->inner);
    };
    on_kept_stack(take_slow_path, &both);
    on_kept_stack(take_slow_path, &later);
    CHECK(both.outer.caught);
    CHECK(both.inner.caught);
    CHECK(both.outer.blocked);
    CHECK_FALSE(usr1_is_blocked());
    if (!sanitized()) {
        CHECK(both.outer.place == later.outer.place);
        CHECK(distance(both.outer.place, both.inner.place) > KeptStackBytes / 2);
    }
}
