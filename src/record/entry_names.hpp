// SPDX-License-Identifier: BSD-3-Clause
//
// Names of entries that are no functions, kept in Names segments of the file. A name gets its key
// (vfd::NamedKey | index) once; the same text and kind give the same key on every thread.
//
// Readers take no lock: the table of pointers is replaced as a whole when it grows, and old ones stay valid
// (their sizes sum up to less than the new one's). Writers take a spin lock.
#pragma once

#include "base/memory.hpp"
#include "vfd/writer.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace vftr::record {

class Names {
public:
    // Again in a forked child: its parent's keys, which may be cached anywhere, then mean no name and never another
    // one.
    void create(vfd::Writer* writer);
    // The key of a name that has one, else 0. Takes no lock.
    std::uint64_t known(std::string_view name, vfd::NodeKind kind) const;
    // 0 where there is no memory. Takes a lock: only with the thread's guard held, and not within a hook.
    std::uint64_t intern(std::string_view name, vfd::NodeKind kind);
    // The name gets this key, which its parent process gave it: caches all over the program may hold that. As intern.
    std::uint64_t adopt(std::string_view name, vfd::NodeKind kind, std::uint64_t key);
    // The text behind a key; "" for an unknown one.
    std::string_view text(std::uint64_t key) const;

    // In a forked child: whoever held the lock is not there.
    void forget_lock() { lock_.unlock(); }

private:
    struct Table {
        std::uint64_t mask;
        std::atomic<const vfd::NameRecord*> slots[];
    };
    static const vfd::NameRecord* find(const Table* table, std::string_view name, vfd::NodeKind kind);
    std::uint64_t insert(std::string_view name, vfd::NodeKind kind, std::uint64_t key);
    const vfd::NameRecord* append(std::string_view name, vfd::NodeKind kind, std::uint64_t key);
    bool grow(std::uint64_t slots);

    vfd::Writer* writer_ = nullptr;
    base::SpinLock lock_;
    std::atomic<Table*> table_{nullptr};
    std::uint64_t count_ = 0; // keys handed out
    std::uint64_t used_ = 0;  // names in the table
    std::uint32_t sequence_ = 0;
    vfd::SegmentHeader* segment_ = nullptr;
    std::size_t room_ = 0;
};

} // namespace vftr::record
