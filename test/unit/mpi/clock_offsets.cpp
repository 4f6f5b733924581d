// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/clock_offsets.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <queue>
#include <set>
#include <thread>
#include <vector>

using namespace vftr;
using namespace vftr::mpi;

namespace {

// Ranks as threads; rank r's clock is r × Apart ahead of the real one.
constexpr std::int64_t Apart = 1'000'000'000;

struct Network {
    explicit Network(int ranks) : size(ranks) {}
    int size, mute = -1;
    std::mutex lock;
    std::condition_variable changed;
    std::map<std::pair<int, int>, std::queue<ClockLetter>> mail;
    std::set<int> done; // ranks that send nothing more
};

class ThreadLink : public ClockLink {
public:
    ThreadLink(Network& network, int rank) : network_(network), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return network_.size; }
    std::uint64_t now() override {
        const auto real = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch());
        return static_cast<std::uint64_t>(real.count() + rank_ * Apart);
    }
    bool send(int to, const ClockLetter& letter) override {
        const std::lock_guard guard(network_.lock);
        network_.mail[{rank_, to}].push(letter);
        network_.changed.notify_all();
        return true;
    }
    std::optional<ClockLetter> receive(int from) override {
        std::unique_lock guard(network_.lock);
        auto& letters = network_.mail[{from, rank_}];
        const auto no_more = [&] { return from == network_.mute || network_.done.contains(from); };
        if (!network_.changed.wait_for(guard, std::chrono::minutes(5), [&] { return !letters.empty() || no_more(); }) ||
            letters.empty())
            return std::nullopt;
        const ClockLetter letter = letters.front();
        letters.pop();
        return letter;
    }

private:
    Network& network_;
    int rank_;
};

std::vector<vfd::ClockOffset> measure(Network& network) {
    std::vector<vfd::ClockOffset> offsets(static_cast<std::size_t>(network.size));
    std::vector<std::thread> ranks;
    for (int rank = 0; rank < network.size; ++rank)
        if (rank != network.mute)
            ranks.emplace_back([&, rank] {
                ThreadLink link(network, rank);
                offsets[static_cast<std::size_t>(rank)] = measure_offset(link);
                const std::lock_guard guard(network.lock);
                network.done.insert(rank);
                network.changed.notify_all();
            });
    for (std::thread& rank : ranks)
        rank.join();
    return offsets;
}

} // namespace

TEST_CASE("the fastest answer tells the offset, to within half of its round trip", "[mpi][clock_offsets]") {
    const std::array<RoundTrip, 3> trips{{{1000, 9000, 5000}, {6000, 8150, 6200}, {7000, 1, 7400}}};
    const vfd::ClockOffset offset = fastest(trips);
    CHECK(offset.monotonic_ns == 6100);
    CHECK(offset.offset_ns == 2050);
    CHECK(offset.error_ns == 101);
    const std::array<RoundTrip, 1> behind{{{6000, 100, 6000}}};
    CHECK(fastest(behind).offset_ns == -5900);
    CHECK(fastest(behind).error_ns == 1);
}

TEST_CASE("offsets and errors add up on the way to rank 0", "[mpi][clock_offsets]") {
    const vfd::ClockOffset sum = add({100, -20, 5}, {90, 50, 7});
    CHECK(sum.monotonic_ns == 100);
    CHECK(sum.offset_ns == 30);
    CHECK(sum.error_ns == 12);
    CHECK(add({100, -20, 5}, {}).error_ns == 0);
}

TEST_CASE("ranks with shifted clocks find their offset to rank 0 within the error they state", "[mpi][clock_offsets]") {
    const int size = GENERATE(1, 2, 3, 5, 8, 13);
    Network network(size);
    const auto offsets = measure(network);
    CHECK(offsets[0].offset_ns == 0);
    CHECK(offsets[0].error_ns == 0);
    for (int rank = 1; rank < size; ++rank) {
        const vfd::ClockOffset& offset = offsets[static_cast<std::size_t>(rank)];
        INFO("rank " << rank << " of " << size);
        REQUIRE(offset.error_ns != 0);
        CHECK(std::llabs(offset.offset_ns + rank * Apart) <= static_cast<std::int64_t>(offset.error_ns));
    }
}

TEST_CASE("a rank that does not ask costs those behind it and those after it their offsets, not the others",
          "[mpi][clock_offsets]") {
    Network network(8);
    network.mute = 6;
    const auto offsets = measure(network);
    CHECK(offsets[7].error_ns == 0);
    CHECK(offsets[5].error_ns == 0);
    for (std::size_t rank : {1, 2, 3, 4})
        CHECK(offsets[rank].error_ns != 0);
}
