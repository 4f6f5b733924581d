// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicator_number.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace vftr::mpi;

TEST_CASE("communicators that were made in different ways have different numbers", "[mpi]") {
    std::set<CommunicatorNumber> numbers{WorldNumber};
    std::size_t made = 1;
    CommunicatorNumber parent = WorldNumber;
    for (std::uint64_t level = 0; level < 20; ++level) {
        for (std::uint64_t before = 0; before < 20; ++before)
            for (std::uint64_t lowest = 0; lowest < 5; ++lowest, ++made)
                numbers.insert(number_of(MadeBy::Parent, {parent, before, lowest}));
        numbers.insert(number_of(MadeBy::Unknown, {parent, 0, 0}));
        ++made;
        for (std::uint64_t tag = 0; tag < 5; ++tag, ++made)
            numbers.insert(number_of(MadeBy::Members, {parent, tag, 0x123456789abcdef0u, 0}));
        parent = number_of(MadeBy::Parent, {parent, 0, 0});
    }
    CHECK(numbers.size() == made);
}
