// SPDX-License-Identifier: BSD-3-Clause
#include "patch/book.hpp"
#include "patch/extent.hpp"
#include "patch/hook_calls.hpp"
#include "patch/patch.hpp"
#include "patch/text.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <vector>

using namespace vftr::patch;

namespace {
__attribute__((noinline)) int something(int n) {
    return n * 3 + 1;
}
template <class Function>
std::uint64_t address(Function* function) {
    return reinterpret_cast<std::uint64_t>(function);
}
std::vector<std::uint64_t> sites_of(Book& book, std::uint64_t function, std::uint32_t since = 0) {
    std::vector<std::uint64_t> all;
    book.for_each_of(function, since, [&](const Site& site) { all.push_back(site.address); });
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

TEST_CASE("memory is read and written as a file, and what is not mapped gives no fault", "[patch][text]") {
    const Text text;
    REQUIRE(text.is_open());
    const std::uint64_t number = 0x1234567890;
    std::uint64_t copy = 0;
    CHECK(text.read(address(&number), &copy, sizeof copy));
    CHECK(copy == number);
    CHECK_FALSE(text.read(0x10, &copy, sizeof copy));
    CHECK_FALSE(text.write(0x10, 1));
}
#endif

TEST_CASE("a book knows the sites of a function and those in a piece of text", "[patch][book]") {
    Book book;
    CHECK(sites_of(book, 1).empty());
    REQUIRE(book.create());
    CHECK(book.add(1, {0x1000, 0xe8, 0xa9, {}}));
    CHECK(book.add(2, {0x1010, 0xe8, 0xa9, {}}));
    const std::uint32_t later = book.now();
    CHECK(book.add(1, {0x5000, 0xe8, 0xa9, {}}));
    CHECK(book.add(1, {0x1000, 0xe8, 0xa9, {}}));
    CHECK(sites_of(book, 1) == std::vector<std::uint64_t>{0x5000, 0x1000});
    CHECK(sites_of(book, 2) == std::vector<std::uint64_t>{0x1010});
    CHECK(sites_of(book, 1, later) == std::vector<std::uint64_t>{0x5000});
    std::vector<std::uint64_t> around;
    book.for_each_in(0xff0, 0x1010, [&](const Site& site) { around.push_back(site.address); });
    CHECK(around == std::vector<std::uint64_t>{0x1000});

    CHECK_FALSE(book.was_examined(1, 0x1000));
    book.note_examined(1, 0x1000, 0x20);
    CHECK(book.was_examined(1, 0x1000));
    CHECK(book.was_examined(1, 0x101f));
    CHECK_FALSE(book.was_examined(1, 0x1020));
    CHECK_FALSE(book.was_examined(2, 0x1000));
    CHECK(sites_of(book, 1).size() == 2);

    book.forget(1);
    CHECK(sites_of(book, 1).empty());
    CHECK_FALSE(book.was_examined(1, 0x1000));
    CHECK(sites_of(book, 2).size() == 1);

    std::vector<std::uint64_t> all;
    book.for_each([&](const Site& site) { all.push_back(site.address); });
    CHECK(all == std::vector<std::uint64_t>{0x1010});
    REQUIRE(book.create());
    CHECK(sites_of(book, 2).empty());
}

TEST_CASE("an address is put together from an anchor and its low half", "[patch]") {
    for (const std::uint64_t site : {0x7f00fffffff0ull, 0x7f0100000010ull, 0x401000ull}) {
        CHECK(address_near(site + 100, static_cast<std::uint32_t>(site)) == site);
        CHECK(address_near(site - 100, static_cast<std::uint32_t>(site)) == site);
    }
}
