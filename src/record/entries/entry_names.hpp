// SPDX-License-Identifier: BSD-3-Clause
//
// Names of entries that are not functions, kept in Names segments of the file. A name gets its key (vfd::NamedKey |
// index) once; the same string and kind give the same key on every thread.
//
// Readers take no lock. Writers take a spin lock.
#pragma once

#include "base/memory.hpp"
#include "base/probe_table.hpp"
#include "vfd/writer.hpp"

#include <cstdint>
#include <string_view>

namespace vftr::record {

class Names {
public:
    // Called again in a forked child. The parent's keys, which may be cached anywhere, then have no name there and
    // never get another one.
    void create(vfd::Writer* writer);
    // The key of a name if it has one, else 0. Takes no lock.
    std::uint64_t known(std::string_view name, vfd::NodeKind kind) const;
    // The key of a name, which is made if there is none; 0 without memory. Takes a lock, so it is called only with the
    // thread's guard held, and not within a hook.
    std::uint64_t intern(std::string_view name, vfd::NodeKind kind);
    // Gives the name the key that it has in the parent process, as caches all over the program may hold that key.
    // Otherwise like intern.
    std::uint64_t adopt(std::string_view name, vfd::NodeKind kind, std::uint64_t key);
    // The name with this key; "" if the key is unknown.
    std::string_view text(std::uint64_t key) const;

    // For a forked child, where the thread that held the lock does not exist.
    void forget_lock() { lock_.unlock(); }

private:
    std::uint64_t insert(std::string_view name, vfd::NodeKind kind, std::uint64_t key);
    const vfd::NameRecord* append(std::string_view name, vfd::NodeKind kind, std::uint64_t key);

    vfd::Writer* writer_ = nullptr;
    base::SpinLock lock_;
    base::ProbeTable<const vfd::NameRecord, base::Outgrown::Kept, 256> table_{};
    std::uint64_t count_ = 0; // keys handed out
    std::uint32_t sequence_ = 0;
    vfd::SegmentHeader* segment_ = nullptr;
    std::size_t room_ = 0;
};

} // namespace vftr::record
