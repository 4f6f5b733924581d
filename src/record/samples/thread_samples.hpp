// SPDX-License-Identifier: BSD-3-Clause
//
// The samples of one thread: the ring that the kernel fills, and the records in the file.
#pragma once

#include "record/entries/traffic.hpp"
#include "record/samples/sample_ring.hpp"
#include "vfd/format.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::record {

// The first fields of a CpuSample, which identify it.
struct SampleKey {
    std::uint64_t address;
    std::uint32_t node;
    std::uint16_t module, reserved;
    bool operator==(const SampleKey&) const = default;
};
static_assert(offsetof(vfd::CpuSample, count) == sizeof(SampleKey));

inline std::uint64_t hash_of(const SampleKey& key) {
    return hash_of(TrafficKey{key.address, key.node | std::uint64_t{key.module} << 32});
}

using SampleTable = SumTable<vfd::CpuSample, SampleKey, vfd::SegmentKind::Samples>;

// All zeros is a thread that is not sampled.
struct ThreadSamples {
    SampleRing ring;
    SampleTable records;
    bool held;         // some thread uses the ring or the records
    bool without_ring; // the thread is one of Recorder::threads_without_ring
};

} // namespace vftr::record
