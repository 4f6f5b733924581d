// SPDX-License-Identifier: BSD-3-Clause
//
// Records of the process that get an id once: groups of ranks and datatypes (format.hpp,
// GroupRecord and TypeRecord). Both begin with the id, the number of their parts and a size, and
// equal contents have equal ids.
//
// Used when a communicator or a type is first met, so a lock and a system call now and then do no
// harm.
#pragma once

#include "base/memory.hpp"
#include "vfd/writer.hpp"

#include <cstdint>
#include <span>

namespace vftr::record {

class Interned {
public:
    // Again in a forked child: its parent's ids, which may be cached anywhere, then mean no record
    // and never another one.
    void create(vfd::Writer* writer, vfd::SegmentKind kind);
    // The id of the record with these contents, from 1; 0 where there is no memory. Takes a lock:
    // only with the thread's guard held.
    std::uint32_t intern(std::uint32_t parts, std::uint64_t size, std::span<const std::byte> tail);

    // The size that the record of an id was interned with; 0: there is none. Takes the lock.
    std::uint64_t size_of(std::uint32_t id);

    // In a forked child: whoever held the lock is not there.
    void forget_lock() { lock_.unlock(); }

private:
    // How GroupRecord and TypeRecord begin.
    struct Head {
        std::uint32_t id, parts;
        std::uint64_t size;
    };
    struct Slot {
        std::uint64_t hash;
        const Head* record;
        std::uint64_t tail_bytes;
    };
    bool make_room();
    Head* append(std::uint32_t parts, std::uint64_t size, std::span<const std::byte> tail);
    void put(const Slot& slot);

    vfd::Writer* writer_ = nullptr;
    vfd::SegmentKind kind_{};
    base::SpinLock lock_;
    Slot* slots_ = nullptr;
    std::uint64_t mask_ = 0;
    std::uint64_t used_ = 0;
    std::uint32_t count_ = 0; // ids handed out
    std::uint32_t sequence_ = 0;
    vfd::SegmentHeader* segment_ = nullptr;
};

} // namespace vftr::record
