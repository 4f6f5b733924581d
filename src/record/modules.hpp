// SPDX-License-Identifier: BSD-3-Clause
//
// The loaded objects that recorded functions lie in, as they are seen: a record of the file per object, with
// build-id and load bias, so that names can be resolved later and elsewhere.
//
// Asked once per call path, never per event. _dl_find_object (glibc 2.35) answers without a lock, so a hook may ask in
// the middle of a dlopen; older C libraries are asked by dl_iterate_phdr.
#pragma once

#include "base/memory.hpp"
#include "vfd/writer.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

struct ModuleEntry {
    std::uint64_t start, end, bias;
    const vfd::ModuleRecord* record; // with build-id and path behind it
};

class Modules {
public:
    void create(vfd::Writer* writer);
    // Id of the module that `address` lies in (from 1), 0 if it is in none. Any thread whose gate is not Ready.
    std::uint16_t find(std::uint64_t address);
    std::uint32_t count() const { return count_.load(std::memory_order_acquire); }
    const ModuleEntry* entry(std::uint16_t id) const; // nullptr for 0

private:
    static constexpr std::uint32_t Max = 4096;
    std::uint16_t known(std::uint64_t address) const;
    std::uint16_t add(std::uint64_t address);

    vfd::Writer* writer_ = nullptr;
    base::SpinLock lock_;
    std::atomic<std::uint32_t> count_{0};
    ModuleEntry entries_[Max] = {};
    std::uint32_t sequence_ = 0;
    vfd::SegmentHeader* segment_ = nullptr;
    std::size_t room_ = 0;
};

} // namespace vftr::record
