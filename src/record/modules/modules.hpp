// SPDX-License-Identifier: BSD-3-Clause
//
// The loaded objects that contain recorded functions, added when the first such function is called. The file has a
// record for each, with build-id and load bias, so that names can be resolved later and on another machine.
//
// The lookup happens once per call path, never per event. _dl_find_object (glibc 2.35) answers without a lock, so a
// hook may use it in the middle of a dlopen; with older C libraries dl_iterate_phdr is used.
//
// Over time, objects are unloaded, and others are loaded at their addresses. A record describes one object from its
// dlopen to its dlclose: then the time is noted in it, and its entry matches no address any more. Unloading is detected
// by the interposed dlclose (unload.hpp), and by every new call path: the object that contains a function being called
// is certainly loaded, so it can be compared. If the same file is loaded again at the same address, the module gets its
// record back: a plugin that is loaded a thousand times is one module.
#pragma once

#include "base/memory.hpp"
#include "vfd/writer.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

struct LoadedObject; // as the dynamic linker describes it

// Call paths in a module. A module that only samples have found has none.
enum ModulePaths : std::uint32_t { NoPaths, NewPaths, KnownPaths };

struct ModuleEntry {
    std::uint64_t start, end, bias;
    vfd::ModuleRecord* record; // followed by build-id and path
    std::uint32_t name_hash;   // hash of the name that the dynamic linker gives the object
    std::uint32_t gone;        // 1: unloaded; atomic
    std::uint32_t returns;     // how often it was loaded again; atomic
    std::uint32_t paths;       // ModulePaths, New: since the latest take_new_paths; atomic
};

class Modules {
public:
    void create(vfd::Writer* writer);
    // Id (from 1) of the module that contains `address`, which belongs to a function that is being called; 0 if it is
    // in none. Any thread whose guard is not Ready may call it.
    std::uint16_t find(std::uint64_t address, bool* revived = nullptr);
    std::uint32_t count() const { return count_.load(std::memory_order_acquire); }
    const ModuleEntry* entry(std::uint16_t id) const; // nullptr for 0
    // Id of the program itself; 0: none of its functions has been called.
    std::uint16_t executable() const { return executable_.load(std::memory_order_relaxed); }

    // Finds the modules that are not loaded any more. Takes a lock of the dynamic linker, so it is not called within a
    // hook.
    void find_unloaded();
    // How often modules were found to be unloaded.
    std::uint32_t unloads() const { return unloads_.load(std::memory_order_acquire); }
    bool unloaded(std::uint16_t id) const;

    // Notes that a node of a call path in this module (0: in none) was made. Any thread may call it.
    void has_new_path(std::uint16_t id) {
        if (id != 0 && __atomic_load_n(&entries_[id - 1].paths, __ATOMIC_RELAXED) != NewPaths)
            __atomic_store_n(&entries_[id - 1].paths, NewPaths, __ATOMIC_RELEASE);
    }
    bool has_paths(std::uint16_t id) const {
        return __atomic_load_n(&entries_[id - 1].paths, __ATOMIC_RELAXED) != NoPaths;
    }
    // Whether that happened for a loaded module with this bias; clears the mark.
    bool take_new_paths(std::uint64_t bias);

    // For a forked child, where the thread that held the lock does not exist.
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
