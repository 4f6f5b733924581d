// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/clock_offsets.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace vftr::mpi {
namespace {

using vfd::ClockOffset;

constexpr int Questions = 10;

// The offset of a rank that has no answer from its parent.
constexpr ClockOffset Unknown{};

ClockOffset ask(ClockLink& link, int parent) {
    std::array<RoundTrip, Questions> trips;
    for (RoundTrip& trip : trips) {
        trip.asked = link.now();
        if (!link.send(parent, {}))
            return Unknown;
        const auto answer = link.receive(parent);
        if (!answer)
            return Unknown;
        trip.came = link.now();
        trip.answer = answer->now;
    }
    const auto of_parent = link.receive(parent);
    return of_parent ? add(fastest(trips), of_parent->offset) : Unknown;
}

bool answer(ClockLink& link, int child, const ClockOffset& mine) {
    for (int i = 0; i < Questions; ++i)
        if (!link.receive(child) || !link.send(child, {link.now(), {}}))
            return false;
    return link.send(child, {0, mine});
}

// Returns the first bit beyond those that children of this rank set.
unsigned first_beyond(unsigned rank, unsigned size) { return rank == 0 ? std::bit_ceil(size) : rank & -rank; }

} // namespace

ClockOffset fastest(std::span<const RoundTrip> trips) {
    const RoundTrip& best = *std::min_element(trips.begin(), trips.end(), [](const RoundTrip& a, const RoundTrip& b) {
        return a.came - a.asked < b.came - b.asked;
    });
    const std::uint64_t round_trip = best.came - best.asked;
    const std::uint64_t middle = best.asked + round_trip / 2;
    return {middle, static_cast<std::int64_t>(best.answer - middle), round_trip / 2 + 1};
}

ClockOffset add(const ClockOffset& to_parent, const ClockOffset& of_parent) {
    if (of_parent.monotonic_ns == 0) // the parent itself has no offset
        return {};
    return {to_parent.monotonic_ns, to_parent.offset_ns + of_parent.offset_ns, to_parent.error_ns + of_parent.error_ns};
}

ClockOffset measure_offset(ClockLink& link) {
    const auto rank = static_cast<unsigned>(link.rank()), size = static_cast<unsigned>(link.size());
    ClockOffset mine{link.now(), 0, 0};
    if (rank != 0)
        mine = ask(link, static_cast<int>(rank & (rank - 1)));
    bool all_asked = true;
    for (unsigned step = first_beyond(rank, size) >> 1; step != 0 && all_asked; step >>= 1)
        if (rank + step < size)
            all_asked = answer(link, static_cast<int>(rank + step), mine);
    return mine;
}

} // namespace vftr::mpi
