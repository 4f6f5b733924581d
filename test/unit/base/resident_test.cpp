// SPDX-License-Identifier: BSD-3-Clause
#include "base/memory.hpp"
#include "base/own_mappings.hpp"
#include "base/resident.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>

using namespace vftr::base;

TEST_CASE("of a mapping those pages are resident that were touched", "[base][resident]") {
    constexpr std::size_t Pages = 1000;
    auto* place = static_cast<char*>(map_anonymous(Pages * page_size()));
    REQUIRE(place);
    const PageMap map;
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    if (map.resident(at, Pages * page_size()) != 0)
        return; // the kernel does not tell, or has made large pages
    place[0] = 1;
    std::memset(place + 300 * page_size(), 1, 400 * page_size());
    CHECK(map.resident(at, Pages * page_size()) == 401 * page_size());
    CHECK(map.resident(at + 1, 1) == page_size());
    CHECK(map.resident(at + page_size(), 1) == 0);
    unmap(place, Pages * page_size());
}

TEST_CASE("a process knows how large it is and was", "[base][resident]") {
    constexpr std::size_t Bytes = 32 << 20;
    const ProcessMemory before = process_memory();
    if (before.resident == 0)
        return; // the kernel does not tell
    auto* place = static_cast<char*>(map_anonymous(Bytes));
    REQUIRE(place);
    std::memset(place, 1, Bytes);
    const ProcessMemory with = process_memory();
    unmap(place, Bytes);
    const ProcessMemory after = process_memory();
    CHECK(with.resident >= before.resident + Bytes / 2);
    CHECK(after.resident + Bytes / 2 <= with.resident);
    CHECK(after.peak + Bytes / 4 >= with.resident);
}

TEST_CASE("own mappings come and go", "[base][resident]") {
    const auto mappings = std::make_unique<OwnMappings>();
    const auto sum = [&] {
        std::size_t bytes = 0;
        mappings->for_each([&](std::uintptr_t, std::size_t each) { bytes += each; });
        return bytes;
    };
    char places[3];
    for (std::size_t i = 0; i < 3; ++i)
        mappings->add(&places[i], i + 1);
    CHECK(sum() == 6);
    mappings->remove(&places[1]);
    mappings->remove(&places[1]);
    CHECK(sum() == 4);
    for (std::size_t i = 0; i < 2 * OwnMappings::Most; ++i)
        mappings->add(&places[1], 1);
    CHECK(sum() == 4 + OwnMappings::Most - 2);
}
