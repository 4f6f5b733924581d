// SPDX-License-Identifier: BSD-3-Clause
//
// The loaded objects that recorded functions lie in, as they are seen: a record of the file per object, with
// build-id and load bias, so that names can be resolved later and elsewhere.
//
// Asked once per call path, never per event. _dl_find_object (glibc 2.35) answers without a lock, so a hook may ask in
// the middle of a dlopen; older C libraries are asked by dl_iterate_phdr.
//
// Over time. Objects are unloaded, and others come to their addresses. A record is of one object from its dlopen to its
// dlclose: after that its entry matches no address any more, and the time is noted in it. Who looks is the dlclose that
// we stand before (unload.hpp), and every new call path: the object that holds a function being called is certainly
// there to be compared. An object that comes back to the same place, byte for byte the same file, gets its record back:
// a plugin that is loaded a thousand times is one module.
#pragma once

#include "base/memory.hpp"
#include "vfd/writer.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

struct LoadedObject; // as the dynamic linker describes it

struct ModuleEntry {
    std::uint64_t start, end, bias;
    vfd::ModuleRecord* record; // with build-id and path behind it
    std::uint32_t name_hash;   // of the name that the dynamic linker gives the object
    std::uint32_t gone;        // 1: unloaded; atomic
    std::uint32_t returns;     // how often it has been loaded again; atomic
    std::uint32_t new_paths;   // 1: there are call paths in it since the latest take_new_paths; atomic
};

class Modules {
public:
    void create(vfd::Writer* writer);
    // Id of the module that `address`, of a function that is being called, lies in (from 1), 0 if it is in none. Any
    // thread whose guard is not Ready.
    std::uint16_t find(std::uint64_t address);
    std::uint32_t count() const { return count_.load(std::memory_order_acquire); }
    const ModuleEntry* entry(std::uint16_t id) const; // nullptr for 0

    // Looks which modules are not loaded any more. Takes a lock of the dynamic linker: not within a hook.
    void find_unloaded();
    // How often modules were seen to be gone.
    std::uint32_t unloads() const { return unloads_.load(std::memory_order_acquire); }
    bool unloaded(std::uint16_t id) const;

    // A node of a call path in this module was made (0: in none). Any thread.
    void has_new_path(std::uint16_t id) {
        if (id != 0 && __atomic_load_n(&entries_[id - 1].new_paths, __ATOMIC_RELAXED) == 0)
            __atomic_store_n(&entries_[id - 1].new_paths, 1, __ATOMIC_RELEASE);
    }
    // Whether that was so for a loaded module with this bias; from then on it counts anew.
    bool take_new_paths(std::uint64_t bias);

    // In a forked child: whoever held the lock is not there.
    void forget_lock() { lock_.unlock(); }

private:
    static constexpr std::uint32_t Max = 4096;
    std::uint16_t known(std::uint64_t address) const;
    std::uint16_t add(const LoadedObject& object, std::uint64_t address);
    std::uint16_t revive(const LoadedObject& object, std::uint64_t address);
    void mark_unloaded(ModuleEntry& entry);
    vfd::ModuleRecord* new_record(std::size_t bytes);

    vfd::Writer* writer_ = nullptr;
    base::SpinLock lock_;
    std::atomic<std::uint32_t> count_{0};
    std::atomic<std::uint32_t> unloads_{0};
    std::atomic<std::uint16_t> executable_{0}; // id of the executable, which is never unloaded; 0: not known
    ModuleEntry entries_[Max] = {};
    std::uint32_t sequence_ = 0;
    vfd::SegmentHeader* segment_ = nullptr;
    std::size_t room_ = 0;
};

} // namespace vftr::record
