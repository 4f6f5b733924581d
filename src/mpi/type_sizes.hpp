// SPDX-License-Identifier: BSD-3-Clause
//
// The sizes of datatypes. Those of predefined types are asked for once: their handles mean the same as long as MPI
// runs, while that of a derived type may come back for another type. Most messages are of predefined types, and asking
// costs as much as all else that a message's bytes need.
//
// Any thread may call bytes_of: a slot is written once, and its handle last.
#pragma once

#include "base/compiler.hpp"
#include "mpi/library.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vftr::mpi {

struct KnownSize {
    std::atomic<std::uint64_t> type; // 0: none
    std::uint64_t bytes;
};
inline constinit KnownSize known_sizes[64]{};

// Asks the MPI library for the size, 0 if there is none, and keeps it if the type is predefined and the slot is free.
std::uint64_t ask_size(MPI_Datatype type, KnownSize& slot);

// Returns the size of `count` elements in bytes.
inline std::uint64_t bytes_of(MPI_Count count, MPI_Datatype type) {
    if (count <= 0)
        return 0;
    const std::uint64_t key = key_of(type);
    KnownSize& slot = known_sizes[(key * 0x9e3779b97f4a7c15u) >> 58];
    const bool known = VFTR_LIKELY(slot.type.load(std::memory_order_acquire) == key) && key != 0;
    return static_cast<std::uint64_t>(count) * (known ? slot.bytes : ask_size(type, slot));
}

} // namespace vftr::mpi
