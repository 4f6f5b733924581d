// SPDX-License-Identifier: BSD-3-Clause
#include "record/used_memory.hpp"

#include "base/memory.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_mappings.hpp"
#include "base/resident.hpp"
#include "record/modules/own_objects.hpp"
#include "record/recorder.hpp"

#include <atomic>

namespace vftr::record {

namespace {

// Never destroyed.
const std::vector<MappedRange>* objects = nullptr;

std::atomic<std::uint64_t> so_far{0}; // bytes up to the latest begin or end of a phase
// Bytes at addresses known to be vftrace's, when the latest phase ended.
std::atomic<std::uint64_t> own_at_end{0};
std::atomic<bool> in_phase{false};
base::ProcessMemory at_begin; // memory of the process when the phase began

std::uint64_t of_recording(const base::PageMap& map) {
    if (!recorder.writer.mapped_bytes() || recorder.writer.lost())
        return 0; // there is no file, or its contents count as anonymous memory
    const std::size_t page = base::page_size();
    std::uint64_t resident = page; // for the header
    vfd::Writer::Reading reading(recorder.writer);
    recorder.writer.for_each([&](const vfd::SegmentHeader& header, const std::byte* payload) {
        const auto begin = reinterpret_cast<std::uintptr_t>(&header), at = reinterpret_cast<std::uintptr_t>(payload);
        const std::uint64_t offset = header.payload_offset;
        if (at == begin + offset)
            resident += map.resident(begin, header.capacity);
        else
            resident += page + map.resident(at, header.capacity - offset);
    });
    return resident;
}

std::uint64_t resident_in(const base::PageMap& map) {
    std::uint64_t resident = of_recording(map);
    if (objects)
        for (const MappedRange& range : *objects)
            resident +=
                static_cast<std::uint64_t>(static_cast<double>(map.resident(range.start, range.bytes)) * range.part);
    base::own_mappings.for_each(
        [&](std::uintptr_t place, std::size_t bytes) { resident += map.resident(place, bytes); });
    return resident;
}

std::uint64_t at_known_addresses() {
    std::uint64_t resident = 0;
    base::with_own_descriptors([&] { resident = resident_in(base::PageMap()); });
    return resident;
}

std::uint64_t growth(std::uint64_t from, std::uint64_t to) { return to > from ? to - from : 0; }

std::uint64_t growth_in_phase() {
    const base::ProcessMemory now = base::process_memory();
    return growth(at_begin.resident, now.peak > at_begin.peak ? now.peak : now.resident);
}

} // namespace

void begin_own_phase(bool fresh) {
    if (!objects)
        objects = new std::vector<MappedRange>(ranges_of_own_objects());
    const std::uint64_t own = at_known_addresses();
    so_far = fresh ? own : so_far + growth(own_at_end, own);
    at_begin = base::process_memory();
    in_phase = true;
}

void end_own_phase() {
    so_far += growth_in_phase();
    in_phase = false;
    own_at_end = at_known_addresses();
}

std::uint64_t used_memory() {
    return so_far + (in_phase ? growth_in_phase() : growth(own_at_end, at_known_addresses()));
}

} // namespace vftr::record
