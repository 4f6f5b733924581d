// SPDX-License-Identifier: BSD-3-Clause
#include "base/memory.hpp"

#include "base/wiped_on_fork.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace vftr::base;

TEST_CASE("sizes are rounded up to whole pages", "[base][memory]") {
    CHECK(round_to_pages(0) == 0);
    CHECK(round_to_pages(1) == page_size());
    CHECK(round_to_pages(page_size()) == page_size());
    CHECK(round_to_pages(page_size() + 1) == 2 * page_size());
}

TEST_CASE("a forked child finds zeros in memory that is wiped, and the rest as it was", "[base][memory]") {
    auto* wiped = static_cast<std::uint64_t*>(map_wiped_on_fork(100000));
    auto* kept = static_cast<std::uint64_t*>(map_anonymous(8));
    REQUIRE(wiped);
    REQUIRE(kept);
    wiped[0] = wiped[10000] = kept[0] = 7;
    pid_t child = fork();
    if (child == 0)
        _exit(wiped[0] == 0 && wiped[10000] == 0 && kept[0] == 7 ? 0 : 1);
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (std::getenv("EMULATED")) // qemu-user promises to wipe and does not
        WARN("wiping is not checked under an emulator");
    else
        CHECK(status == 0);
    CHECK(wiped[0] == 7);
    CHECK(wiped[10000] == 7);
}

TEST_CASE("an object is made once for all threads and wiped in a forked child", "[base][memory]") {
    static WipedOnFork<std::atomic<int>> object;
    CHECK_FALSE(object);
    std::atomic<int>* made[4];
    std::vector<std::thread> threads;
    for (auto& mine : made)
        threads.emplace_back([&mine] { mine = object.make([](std::atomic<int>& fresh) { fresh = 7; }); });
    for (std::thread& thread : threads)
        thread.join();
    for (auto* one : made) {
        REQUIRE(one);
        CHECK(one == object.get());
    }
    CHECK(*object == 7);
    CHECK(object.make() == object.get());
    CHECK(*object == 7);
    pid_t child = fork();
    if (child == 0)
        _exit(object.make() == made[0] && *object == 0 ? 0 : 1);
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (!std::getenv("EMULATED"))
        CHECK(status == 0);
}

TEST_CASE("reserved address space becomes memory where it is filled", "[base][memory]") {
    auto* place = static_cast<char*>(reserve(1 << 20));
    REQUIRE(place);
    REQUIRE(map_anonymous_at(place + page_size(), page_size()));
    place[page_size()] = 1;
    CHECK(place[page_size()] == 1);
    unmap(place, 1 << 20);
}

TEST_CASE("more memory than there is address space is an answer, not a crash", "[base][memory]") {
    CHECK(map_anonymous(std::size_t{1} << 60) == nullptr);
    CHECK(reserve(std::size_t{1} << 60) == nullptr);
}
