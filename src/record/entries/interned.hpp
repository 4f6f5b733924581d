// SPDX-License-Identifier: BSD-3-Clause
//
// Records of the process that get an id once: groups of ranks and datatypes (GroupRecord and TypeRecord in format.hpp).
// Both begin with the id, the number of their parts and a size. The parts follow: the runs of a group, the characters
// of a type's name. Equal contents have equal ids.
//
// They are used when a communicator or a type occurs for the first time, so an occasional lock or system call does no
// harm.
#pragma once

#include "base/memory.hpp"
#include "base/probe_table.hpp"
#include "vfd/writer.hpp"

#include <cstdint>
#include <span>

namespace vftr::record {

class Interned {
public:
    // Called again in a forked child. The parent's ids, which may be cached anywhere, then have no record there and
    // never get another one.
    void create(vfd::Writer* writer, vfd::SegmentKind kind);
    // The id of the record with this size and these parts, from 1; 0 without memory. Takes a lock, so it is called only
    // with the thread's guard held.
    std::uint32_t intern(std::uint64_t size, std::span<const std::byte> parts);

    // The size that was given when the record of this id was interned; 0: there is no such record. Takes the lock.
    std::uint64_t size_of(std::uint32_t id);

    // For a forked child, where the thread that held the lock does not exist.
    void forget_lock() { lock_.unlock(); }

private:
    // The fields with which GroupRecord and TypeRecord begin.
    struct Head {
        std::uint32_t id, parts;
        std::uint64_t size;
    };
    std::span<const std::byte> parts_of(const Head& head) const;
    Head* append(std::uint64_t size, std::span<const std::byte> parts);

    vfd::Writer* writer_ = nullptr;
    vfd::SegmentKind kind_{};
    base::SpinLock lock_;
    std::size_t part_bytes_ = 0; // set by create(): zero at first, as the whole recorder is
    base::ProbeTable<const Head, base::Outgrown::Unmapped, 128> table_{};
    std::uint32_t count_ = 0; // ids handed out
    std::uint32_t sequence_ = 0;
    vfd::SegmentHeader* segment_ = nullptr;
};

} // namespace vftr::record
