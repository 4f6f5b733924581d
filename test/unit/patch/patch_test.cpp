// SPDX-License-Identifier: BSD-3-Clause
#include "patch/call_targets.hpp"
#include "patch/extent.hpp"
#include "patch/hook_calls.hpp"
#include "patch/hook_site_index.hpp"
#include "patch/patch.hpp"
#include "patch/process_memory.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <gnu/libc-version.h>
#include <vector>

using namespace vftr::patch;

namespace {
[[maybe_unused]] __attribute__((noinline)) int something(int n) { return n * 3 + 1; }
template <class Function>
std::uint64_t address(Function* function) {
    return reinterpret_cast<std::uint64_t>(function);
}
std::vector<std::uint64_t> sites_of(HookSiteIndex& index, std::uint64_t function) {
    std::vector<std::uint64_t> all;
    index.for_each_of(function, [&](const Site& site) { all.push_back(site.address); });
    return all;
}
} // namespace

#ifdef __x86_64__ // where we are emulated, /proc/self/mem may be another memory
TEST_CASE("a function's extent is known without symbols", "[patch][extent]") {
    const Extent own = extent_of(address(something));
    CHECK(own.start == address(something));
    REQUIRE(own.known());
    const Extent within = extent_of(own.end - 1);
    CHECK(within.start == own.start);
    CHECK(within.end == own.end);
    CHECK(extent_of(own.end).start != own.start);
    CHECK(extent_of(address(std::fclose)).known());
    CHECK_FALSE(extent_of(0x10).known());
}

namespace {
__attribute__((noinline)) void throws(int n) {
    if (n > 3)
        throw n;
}
__attribute__((noinline)) int catches(int n) {
    try {
        throws(n);
    } catch (int caught) {
        return caught;
    }
    return 0;
}
} // namespace

TEST_CASE("where exceptions go on is known of each function", "[patch][extent]") {
    const auto pads_in = [](std::uint64_t function) {
        const Extent extent = extent_of(function);
        LandingPads pads(extent.pads, extent.start);
        std::vector<std::uint64_t> all;
        for (LandingPads::Row row; pads.next(row);) {
            CHECK(extent.has(row.begin));
            CHECK(extent.has(row.end - 1));
            all.push_back(row.pad);
        }
        CHECK(pads.ok());
        return all;
    };
    CHECK(pads_in(address(something)).empty());
    CHECK(pads_in(address(std::fclose)).size() <= 8);
    const auto all = pads_in(address(catches));
    REQUIRE(all.size() == 1);
    CHECK(extent_of(all[0]).known());
}

TEST_CASE("direct calls in an object are known by where they lead", "[patch][references]") {
    vftr::record::LoadedObject own;
    REQUIRE(vftr::record::find_loaded_object(address(throws), own));
    const CallTargets targets(own);
    CHECK(targets.has(address(throws)));
    CHECK_FALSE(targets.has(address(throws) + 1));
    CHECK_FALSE(targets.has(address(gnu_get_libc_version))); // which no sanitizer brings a version of
    CHECK_FALSE(targets.has(0));
}

TEST_CASE("memory is read and written as a file, and what is not mapped gives no fault", "[patch][text]") {
    const ProcessMemory memory;
    REQUIRE(memory.is_open());
    const std::uint64_t number = 0x1234567890;
    std::uint64_t copy = 0;
    CHECK(memory.read(address(&number), &copy, sizeof copy));
    CHECK(copy == number);
    CHECK_FALSE(memory.read(0x10, &copy, sizeof copy));
    CHECK_FALSE(memory.write(0x10, 1));
}

TEST_CASE("a glance shows what stands near another one as it was then, with what was written since", "[patch][text]") {
    alignas(4096) static volatile std::uint8_t bytes[4096] = {7};
    const ProcessMemory memory;
    const auto glance = [&](std::size_t at) {
        std::uint8_t byte = 0;
        CHECK(memory.glance(address(bytes) + at, &byte, 1));
        return static_cast<int>(byte);
    };
    CHECK(glance(1) == 0);
    bytes[0] = 8;
    bytes[1000] = 9;
    CHECK(glance(0) == 7);
    CHECK(glance(1000) == 9);
    CHECK(memory.write(address(bytes) + 1, 3));
    CHECK(glance(1) == 3);
    CHECK(glance(0) == 7);
    memory.forget();
    CHECK(glance(0) == 8);
    CHECK(glance(1) == 3);
    for (std::size_t i = 1; i < 30; ++i) // others are remembered instead
        glance(i * 128);
    bytes[0] = 10;
    CHECK(glance(0) == 10);
    std::uint8_t many[300] = {};
    CHECK(memory.glance(address(bytes) + 900, many, sizeof many));
    CHECK(many[100] == 9);
    std::uint8_t nothing = 0;
    CHECK_FALSE(memory.glance(0x10, &nothing, 1));
    CHECK_FALSE(memory.glance(0x10, &nothing, 1));
}
#endif

TEST_CASE("a index knows the sites of a function and those in a piece of text", "[patch][index]") {
    HookSiteIndex index;
    CHECK(sites_of(index, 1).empty());
    REQUIRE(index.create());
    CHECK(index.add(1, {0x1000, 0xe8, 0xa9, {}}));
    CHECK(index.add(2, {0x1010, 0xe8, 0xa9, {}}));
    CHECK(index.add(1, {0x5000, 0xe8, 0xa9, {}}));
    CHECK(index.add(1, {0x1000, 0xe8, 0xa9, {}}));
    CHECK(sites_of(index, 1) == std::vector<std::uint64_t>{0x5000, 0x1000});
    CHECK(sites_of(index, 2) == std::vector<std::uint64_t>{0x1010});
    std::vector<std::uint64_t> around, of_one;
    index.for_each_in(0xff0, 0x1011, [&](const Site& site) { around.push_back(site.address); });
    index.for_each_of_in(1, 0xff0, 0x1011, [&](const Site& site) { of_one.push_back(site.address); });
    CHECK(around == std::vector<std::uint64_t>{0x1010, 0x1000});
    CHECK(of_one == std::vector<std::uint64_t>{0x1000});

    CHECK_FALSE(index.was_scanned(1, 0x1000));
    index.note_scanned(1, 0x1000, 0x20);
    CHECK(index.was_scanned(1, 0x1000));
    CHECK(index.was_scanned(1, 0x101f));
    CHECK_FALSE(index.was_scanned(1, 0x1020));
    CHECK_FALSE(index.was_scanned(2, 0x1000));
    CHECK(sites_of(index, 1).size() == 2);

    const std::vector<std::uint8_t> bytes(100, 0x90), others(100, 0x91);
    const Code text{0x1000, bytes, {}};
    CHECK_FALSE(index.has_scanned(text));
    index.note_scanned(text);
    CHECK(index.has_scanned(text));
    CHECK_FALSE(index.has_scanned({0x1000, others, {}}));
    CHECK_FALSE(index.has_scanned({0x2000, bytes, {}}));
    CHECK_FALSE(index.has_scanned({0x1000, std::span(bytes).first(99), {}}));

    index.set_out(1, true);
    index.set_out(1, true);
    CHECK(index.is_out(1));
    CHECK_FALSE(index.is_out(2));
    CHECK_FALSE(index.is_out(0));
    std::vector<std::uint64_t> out, out_in;
    index.for_each_out([&](const Site& site) { out.push_back(site.address); });
    index.for_each_out_in(0x1000, 0x2000, [&](const Site& site) { out_in.push_back(site.address); });
    CHECK(out == std::vector<std::uint64_t>{0x1000, 0x5000});
    CHECK(out_in == std::vector<std::uint64_t>{0x1000});
    index.set_out(1, false);
    CHECK_FALSE(index.is_out(1));
    index.set_out(2, true);

    index.forget(1);
    CHECK_FALSE(index.is_out(2));
    CHECK_FALSE(index.has_scanned(text));
    CHECK(sites_of(index, 1).empty());
    CHECK_FALSE(index.was_scanned(1, 0x1000));
    CHECK(sites_of(index, 2).size() == 1);

    std::vector<std::uint64_t> all;
    CHECK(index.add(3, {0x1020, 0xe8, 0xa9, {}}));
    index.forget_in(0x1010, 0x1030, [](const Site& site) { return site.address == 0x1010; });
    index.for_each([&](const Site& site) { all.push_back(site.address); });
    CHECK(all == std::vector<std::uint64_t>{0x1010});
    CHECK(index.add(3, {0x1020, 0xe8, 0xa9, {}}));
    CHECK(sites_of(index, 3) == std::vector<std::uint64_t>{0x1020});
    REQUIRE(index.create());
    CHECK(sites_of(index, 2).empty());
}

TEST_CASE("a table of landing pads is read in both forms", "[patch][landing_pads]") {
    const std::uint8_t short_form[] = {0xff, 0x9b, 0x20, 0x01, 9, 0x10, 0x05, 0x80, 0x01, 0, 0x15, 0x10, 0, 7, 7};
    const std::uint8_t long_form[] = {0xff, 0xff, 0x03, 13, 0x10, 0, 0, 0, 5, 0, 0, 0, 0x80, 0, 0, 0, 1, 7, 7};
    const std::uint8_t apart[] = {0x1b, 0xff, 0x0f, 0, 0, 0xff, 0x01, 4, 0x10, 5, 0x70, 0};
    const std::uint8_t wrong_order[] = {0xff, 0xff, 0x01, 8, 0x10, 5, 0x70, 0, 0x0f, 1, 0x70, 0};
    const auto read = [](std::span<const std::uint8_t> bytes) {
        LandingPads pads({bytes, 0x5000, true}, 0x1000);
        std::vector<std::uint64_t> rows;
        for (LandingPads::Row row; pads.next(row);)
            rows.insert(rows.end(), {row.begin, row.end, row.pad});
        rows.push_back(pads.ok());
        return rows;
    };
    using Rows = std::vector<std::uint64_t>;
    CHECK(read(short_form) == Rows{0x1010, 0x1015, 0x1080, 1});
    CHECK(read(std::span(short_form).first(13)) == Rows{0x1010, 0x1015, 0x1080, 0});
    CHECK(read(long_form) == Rows{0x1010, 0x1015, 0x1080, 1});
    CHECK(read({}) == Rows{1});
    CHECK(read(apart) == Rows{0x1010, 0x1015, 0x6070, 1});
    CHECK(read(wrong_order) == Rows{0x1010, 0x1015, 0x1070, 0});
    CHECK(LandingPads({{}, 0, false}, 0x1000).ok() == false);
}

TEST_CASE("an address is put together from an anchor and its low half", "[patch]") {
    for (const std::uint64_t site : {0x7f00fffffff0ull, 0x7f0100000010ull, 0x401000ull}) {
        CHECK(address_near(site + 100, static_cast<std::uint32_t>(site)) == site);
        CHECK(address_near(site - 100, static_cast<std::uint32_t>(site)) == site);
    }
}
