// SPDX-License-Identifier: BSD-3-Clause
#include "base/probe_table.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <thread>
#include <vector>

using namespace vftr;

namespace {

struct Entry {
    std::uint64_t key;
};

// Bad on purpose: many entries have the same hash, and those of the end of the table continue at its begin.
std::uint64_t hash_of(const Entry& entry) { return ~entry.key / 5; }

template <base::Outgrown outgrown>
struct Table {
    base::ProbeTable<const Entry, outgrown, 8> entries{};
    std::vector<std::unique_ptr<Entry>> all;

    bool has(std::uint64_t key) const {
        return entries.find(hash_of({key}), [&](const Entry& entry) { return entry.key == key; });
    }
    void add(std::uint64_t key) {
        all.push_back(std::make_unique<Entry>(Entry{key}));
        REQUIRE(entries.make_room(hash_of));
        entries.insert(hash_of({key}), all.back().get());
    }
};

} // namespace

TEST_CASE("a table has what was inserted and nothing else", "[base][probe_table]") {
    Table<base::Outgrown::Unmapped> table;
    CHECK_FALSE(table.has(0));
    for (std::uint64_t key = 0; key < 2000; ++key) {
        REQUIRE_FALSE(table.has(key));
        table.add(key);
        REQUIRE(table.has(key));
    }
    CHECK(table.entries.size() == 2000);
    std::set<std::uint64_t> seen;
    table.entries.for_each([&](const Entry& entry) { seen.insert(entry.key); });
    CHECK(seen.size() == 2000);
    for (std::uint64_t key = 0; key < 4000; ++key)
        REQUIRE(table.has(key) == (key < 2000));
}

TEST_CASE("readers find what was inserted before while the table grows", "[base][probe_table]") {
    Table<base::Outgrown::Kept> table;
    constexpr std::uint64_t Last = 2500;
    std::atomic<std::uint64_t> inserted{0};
    std::atomic<unsigned> wrong{0};
    std::vector<std::thread> readers;
    for (int i = 0; i < 2; ++i)
        readers.emplace_back([&] {
            for (std::uint64_t there = 0; there < Last;) {
                there = inserted.load();
                for (std::uint64_t key = there; key > 0 && key + 50 > there; --key)
                    wrong += !table.has(key);
                wrong += table.has(Last + 1);
            }
        });
    for (std::uint64_t key = 1; key <= Last; ++key) {
        table.add(key);
        inserted = key;
    }
    for (std::thread& reader : readers)
        reader.join();
    CHECK(wrong == 0);
}
