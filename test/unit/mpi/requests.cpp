// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/requests.hpp"

#include "mpi/guard.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace vftr;
using namespace vftr::mpi;

namespace {

Part part(std::uint64_t bytes) {
    Part part{};
    part.bytes = bytes;
    return part;
}

// One that can be told from others by the number of its call path.
Operation operation(std::uint32_t node) {
    Operation operation{};
    operation.place.node = node;
    operation.active = operation.recorded = true;
    return operation;
}

// The table is too large for the stack.
struct Table {
    std::unique_ptr<Requests> requests = std::make_unique<Requests>();
    Requests* operator->() { return requests.get(); }
    // The call path of the one that ends, 0 if there is none.
    std::uint32_t finish(std::uint64_t handle, const void* variable) {
        Operation found;
        if (!requests->finish(handle, variable, found))
            return 0;
        requests->release(found);
        return found.place.node;
    }
};

char variables[100000];

// As a wrapper does for a send. Returns true if another one was given up.
bool begin_plain(Table& table, std::uint64_t handle, const void* variable, std::uint32_t node,
                 Operation* given_up = nullptr) {
    PlainRequest* const slot = table->slot_of(variable);
    REQUIRE(slot);
    const bool gave_up = slot->handle != 0 && table->displace(*slot, given_up);
    slot->place = {0, node, node};
    slot->counted_to = node;
    table->hold(*slot, handle, variable);
    return gave_up;
}

} // namespace

TEST_CASE("a request is found once, by its handle", "[requests]") {
    Table table;
    CHECK_FALSE(table->used());
    CHECK(table.finish(1, variables) == 0);
    table->add(1, variables, operation(11));
    table->add(2, variables + 1, operation(12));
    CHECK(table->used());
    CHECK(table.finish(3, variables) == 0);
    CHECK(table.finish(2, variables + 1) == 12);
    CHECK(table.finish(1, variables) == 11);
    CHECK(table.finish(1, variables) == 0);
}

TEST_CASE("a request whose variable was moved is found by its handle alone", "[requests]") {
    Table table;
    table->add(1, variables, operation(11));
    CHECK(table.finish(1, variables + 50) == 11);
}

TEST_CASE("requests that share a handle are told apart by their variables", "[requests]") {
    Table table;
    for (std::uint32_t i = 0; i < 1000; ++i)
        table->add(7, variables + i, operation(i + 1));
    std::vector<std::uint32_t> order(1000);
    for (std::uint32_t i = 0; i < 1000; ++i)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), std::minstd_rand(1));
    for (const std::uint32_t i : order)
        REQUIRE(table.finish(7, variables + i) == i + 1);
    CHECK(table.finish(7, variables) == 0);
}

TEST_CASE("of requests that share handle and variable the oldest ends first", "[requests]") {
    Table table; // MPI_Isend(&r); list[n++] = r; again and again
    for (std::uint32_t i = 0; i < 1000; ++i)
        table->add(7, variables, operation(i + 1));
    for (std::uint32_t i = 0; i < 1000; ++i)
        REQUIRE(table.finish(7, variables + 5000 + i) == i + 1);
}

TEST_CASE("a shared handle keeps its queue when its first, last or a middle member goes", "[requests]") {
    Table table;
    for (std::uint32_t i = 0; i < 5; ++i)
        table->add(7, variables + i, operation(i + 1));
    CHECK(table.finish(7, variables + 4) == 5);
    CHECK(table.finish(7, variables) == 1);
    CHECK(table.finish(7, variables + 2) == 3);
    table->add(7, variables + 5, operation(6));
    for (const std::uint32_t next : {2u, 4u, 6u, 0u})
        CHECK(table.finish(7, variables + 99) == next);
}

TEST_CASE("a hundred thousand requests are open at once", "[requests]") {
    Table table;
    for (std::uint32_t i = 0; i < 100000; ++i)
        table->add(64 * (i / 2 + 1), variables + i, operation(i + 1));
    for (std::uint32_t i = 100000; i-- > 0;)
        REQUIRE(table.finish(64 * (i / 2 + 1), variables + i) == i + 1);
}

TEST_CASE("of requests that nobody waits for a bounded number is kept", "[requests]") {
    Table table; // MPI_Isend(&r) again and again
    const auto longest = static_cast<std::uint32_t>(Requests::LongQueue);
    Operation given_up{};
    table->add(7, variables + 1, operation(1), &given_up);
    for (std::uint32_t i = 2; i <= longest; ++i)
        REQUIRE_FALSE(table->add(7, variables, operation(i), &given_up));
    for (std::uint32_t i = longest + 1; i < longest + 100; ++i) {
        REQUIRE(table->add(7, variables, operation(i), &given_up));
        REQUIRE(given_up.place.node == i - 1);
    }
    CHECK(table.finish(7, variables) == longest + 99);
    CHECK(table.finish(7, variables + 1) == 1);
    std::uint32_t left = 0;
    while (table.finish(7, variables + 2) != 0)
        ++left;
    CHECK(left == longest - 2);
}

TEST_CASE("requests that wait at variables of their own are never given up", "[requests]") {
    Table table;
    Operation given_up{};
    std::vector<char> own(Requests::LongQueue + 100);
    for (std::uint32_t i = 0; i < own.size(); ++i)
        REQUIRE_FALSE(table->add(7, own.data() + i, operation(i + 1), &given_up));
    for (std::uint32_t i = 0; i < own.size(); ++i)
        REQUIRE(table.finish(7, own.data() + i) == i + 1);
}

TEST_CASE("an operation keeps all its parts until it is released", "[requests]") {
    Table table;
    Operation many = operation(1);
    for (std::uint64_t bytes = 1; bytes <= 3000; ++bytes)
        table->add_part(many, part(bytes));
    table->add(1, variables, many);
    table->extend(1, variables, part(5000));
    Operation found;
    REQUIRE(table->finish(1, variables, found));
    std::uint64_t sum = 0, count = 0;
    for (const Part* p = &found.first; p; p = p->next, ++count)
        sum += p->bytes;
    CHECK(count == 3001);
    CHECK(sum == 3000 * 3001 / 2 + 5000);
    table->release(found);
}

TEST_CASE("a persistent request is active between its start and its end", "[requests]") {
    Table table;
    Operation persistent = operation(0);
    persistent.persistent = true;
    persistent.active = false;
    table->add_part(persistent, part(1));
    table->add_part(persistent, part(2));
    table->add(1, variables, persistent);
    Operation found;
    for (std::uint32_t round = 1; round <= 3; ++round) {
        REQUIRE(table->start(1, variables + 9, {0, round, 0}, round != 2));
        REQUIRE(table->finish(1, variables, found));
        CHECK(found.active);
        CHECK(found.recorded == (round != 2));
        CHECK(found.place.node == round);
        CHECK(found.first.next != nullptr);
        table->release(found);
        REQUIRE(table->finish(1, variables, found)); // a wait for an inactive one
        CHECK_FALSE(found.active);
        table->release(found);
    }
    REQUIRE(table->forget(1, variables, found));
    CHECK_FALSE(found.active);
    table->release(found);
    CHECK_FALSE(table->start(1, variables, {}, true));
}

TEST_CASE("a persistent request that begins tells what it does, and when it was counted", "[requests]") {
    Table table;
    Operation persistent = operation(0), started, found;
    persistent.persistent = true;
    persistent.active = false;
    table->add_part(persistent, part(1));
    table->add_part(persistent, part(2));
    table->add(1, variables, persistent);
    REQUIRE(table->start(1, variables, {0, 3, 0}, true, 77, &started));
    CHECK((started.active && started.place.node == 3 && started.counted_to == 77 && started.first.next != nullptr));
    table->release(started); // the parts stay in the table
    REQUIRE(table->finish(1, variables, found));
    CHECK((found.counted_to == 77 && found.first.next != nullptr));
}

// Issue: four Isend and Irecv with Waitall cost 2.4 × of plain (+ 95 ns each): bring the non-blocking path to + 50.
TEST_CASE("a plain request is found in its slot, and nowhere else", "[requests]") {
    Table table;
    CHECK_FALSE(table->used());
    CHECK(table->find_plain(1, variables) == nullptr);
    begin_plain(table, 1, variables, 11);
    begin_plain(table, 2, variables + 4, 12);
    CHECK(table->used());
    CHECK(table->find_plain(2, variables) == nullptr);
    CHECK(table->find_plain(1, variables + 4) == nullptr);
    PlainRequest* const plain = table->find_plain(1, variables);
    REQUIRE(plain);
    CHECK(plain->place.node == 11);
    table->release(*plain);
    CHECK(table->find_plain(1, variables) == nullptr);
    CHECK(table.finish(1, variables) == 0);
    CHECK(table->find_plain(2, variables + 4));
}

TEST_CASE("a plain request that gives up its slot goes on in the table with all that is known of it", "[requests]") {
    Table table;
    PlainRequest* const slot = table->slot_of(variables);
    REQUIRE(slot);
    slot->place = {3, 11, 70};
    slot->counted_to = 80;
    slot->bytes = 24;
    slot->target = 5;
    slot->tag = 6;
    slot->type = 7;
    slot->communicator = 8;
    table->hold(*slot, 1, variables);
    table->displace(*slot);
    CHECK(slot->handle == 0);
    Operation found;
    REQUIRE(table->finish(1, variables, found));
    CHECK((found.place.thread == 3 && found.place.node == 11 && found.place.enter == 70 && found.counted_to == 80));
    CHECK((found.active && found.recorded && !found.persistent && !found.seen && !found.cancel_asked));
    const Part& part = found.first;
    CHECK((part.used && part.peers == nullptr && part.next == nullptr && part.direction == vfd::Direction::Send));
    CHECK((part.bytes == 24 && part.target == 5 && part.tag == 6 && part.type == 7 && part.communicator == 8));
}

TEST_CASE("what happens to a plain request but its end happens in the table", "[requests]") {
    Table table;
    Operation found;
    begin_plain(table, 1, variables, 11);
    CHECK(table->ask_cancel(1, variables));
    CHECK(table->find_plain(1, variables) == nullptr);
    REQUIRE(table->finish(1, variables, found));
    CHECK(found.cancel_asked);
    begin_plain(table, 1, variables, 12);
    table->extend(1, variables, part(9));
    REQUIRE(table->forget(1, variables, found));
    CHECK((found.place.node == 12 && found.first.next != nullptr));
    table->release(found);
}

TEST_CASE("plain requests of a shared handle that were moved end in the order in which they began", "[requests]") {
    Table table; // some at slots in another order than that in which they began, some in the table
    const std::uint32_t count = 500;
    for (std::uint32_t i = 0; i < count; ++i)
        begin_plain(table, 7, variables + 4 * (i * 307 % 250), i + 1);
    for (std::uint32_t i = 0; i < count; ++i)
        REQUIRE(table.finish(7, variables + 50000 + i) == i + 1);
    CHECK(table.finish(7, variables) == 0);
}

TEST_CASE("a plain request is told from older and later ones of its variable", "[requests]") {
    Table table;
    table->add(7, variables, operation(1));
    begin_plain(table, 7, variables, 2);
    CHECK(table->find_plain(7, variables)->place.node == 2);
    table->add(7, variables, operation(3)); // not plain
    CHECK(table->find_plain(7, variables) == nullptr);
    for (const std::uint32_t next : {3u, 1u, 2u})
        CHECK(table.finish(7, variables) == next);
}

TEST_CASE("a program that moves its requests does without slots after a while", "[requests]") {
    Table table;
    std::uint32_t begun = 0;
    for (; begun < 1000 && table->slot_of(variables); ++begun) {
        begin_plain(table, 7, variables, begun + 1);
        REQUIRE(table.finish(7, variables + 8) == begun + 1);
    }
    CHECK((begun > 10 && begun < 1000));
}

TEST_CASE("of plain requests that nobody waits for a bounded number is kept", "[requests]") {
    Table table;
    const auto longest = static_cast<std::uint32_t>(Requests::LongQueue);
    Operation given_up{};
    for (std::uint32_t i = 1; i <= longest + 1; ++i) // the last one is in its slot
        REQUIRE_FALSE(begin_plain(table, 7, variables, i, &given_up));
    for (std::uint32_t i = longest + 2; i < longest + 100; ++i) {
        REQUIRE(begin_plain(table, 7, variables, i, &given_up));
        REQUIRE(given_up.place.node == i - 2);
    }
}

TEST_CASE("all requests can be visited", "[requests]") {
    Table table;
    for (std::uint32_t i = 0; i < 1000; ++i)
        table->add(i % 3 == 0 ? 7 : 10 + i, variables + i, operation(i + 1));
    begin_plain(table, 5, variables + 5000, 1001);
    table.finish(7, variables + 3);
    std::vector<bool> seen(1002);
    std::size_t count = 0;
    table.requests->for_each([&](const Operation& operation) {
        ++count;
        seen[operation.place.node] = true;
    });
    CHECK(count == 1000);
    CHECK(std::count(seen.begin(), seen.end(), true) == 1000);
    CHECK_FALSE(seen[4]);
}

TEST_CASE("what was seen or cancelled is remembered until the request ends", "[requests]") {
    Table table;
    table->add(1, variables, operation(1));
    Operation found;
    REQUIRE(table->see(1, variables, found));
    CHECK_FALSE(found.seen);
    table->release(found);
    REQUIRE(table->see(1, variables, found));
    CHECK(found.seen);
    REQUIRE(table->ask_cancel(1, variables));
    REQUIRE(table->finish(1, variables, found));
    CHECK(found.seen);
    CHECK(found.cancel_asked);
    CHECK_FALSE(table->ask_cancel(1, variables));
}

TEST_CASE("four threads share the table, its pools and a handle", "[requests]") {
    Table table;
    threads_share = true;
    std::atomic<int> lost{0};
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            char mine[64];
            for (std::uint32_t round = 0; round < 500; ++round) {
                for (std::uint32_t i = 0; i < 64; ++i) {
                    Operation fresh = operation(t * 1000 + i + 1);
                    table->add_part(fresh, part(1));
                    table->add_part(fresh, part(2));
                    table->add(i % 2 ? 7 : 1000 * (t + 1) + i, mine + i, fresh);
                }
                for (std::uint32_t i = 64; i-- > 0;)
                    if (table.finish(i % 2 ? 7 : 1000 * (t + 1) + i, mine + i) != t * 1000 + i + 1)
                        ++lost;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    threads_share = false;
    CHECK(lost == 0);
    CHECK(table.finish(7, variables) == 0);
}
