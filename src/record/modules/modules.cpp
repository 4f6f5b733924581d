// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/modules.hpp"

#include "base/clock.hpp"
#include "base/fnv.hpp"
#include "base/process.hpp"
#include "base/signal_mask.hpp"
#include "record/modules/loaded_object.hpp"
#include "record/modules/mapped_file.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <mutex>
#include <sys/auxv.h>
#include <unistd.h>

namespace vftr::record {

namespace {

bool is_gone(const ModuleEntry& entry) { return __atomic_load_n(&entry.gone, __ATOMIC_ACQUIRE) != 0; }

std::span<const std::uint8_t> build_id_of(const vfd::ModuleRecord& record) {
    return {reinterpret_cast<const std::uint8_t*>(&record + 1), record.build_id_size};
}

std::uint32_t hash_of(const char* text) { return base::fnv1a<base::Fnv1a32>(text); }

// Whether the object is that of the entry, as far as memory tells: it is at the same address and has the same build-id,
// or, without a build-id, the same name.
bool is_same(const LoadedObject& object, const ModuleEntry& entry) {
    if (object.bias != entry.bias || entry.start < object.start || entry.start >= object.end)
        return false;
    const auto id = build_id_of(object);
    if (!id.empty() || entry.record->build_id_size != 0)
        return std::ranges::equal(id, build_id_of(*entry.record));
    return hash_of(object.name) == entry.name_hash;
}

// Without /proc, only the working directory and the executed path are known of the executable; its build-id tells later
// whether the file with that path is the one that is loaded.
void set_path(MappedFile& file, const char* name, bool make_absolute) {
    file.path_size = 0;
    if (make_absolute && name[0] != '/' && ::getcwd(file.path, MappedFile::LongestPath)) {
        file.path_size = std::strlen(file.path);
        file.path[file.path_size++] = '/';
    }
    const std::size_t size = std::min(std::strlen(name), MappedFile::LongestPath - file.path_size);
    std::memcpy(file.path + file.path_size, name, size);
    file.path_size += size;
}

// Finds the file of a module. It works in static memory, under the lock, as the caller may have little stack. The
// dynamic linker knows an object's path as it was requested: for the executable not at all, and a relative one with
// respect to a directory that may have changed since.
const MappedFile& file_of(const LoadedObject& object, std::uint64_t address) {
    static MappedFile file;
    const bool absolute = object.name[0] == '/';
    file.identity = {};
    file.path_size = 0;
    if (!absolute || build_id_of(object).empty())
        find_mapped_file(address, file);
    if (absolute || file.path_size == 0) {
        const bool executable = object.name[0] == '\0' && !build_id_of(object).empty();
        set_path(file, executable ? base::executed_path() : object.name, executable);
    }
    return file;
}

bool is_same_file(const vfd::ModuleRecord& record, const FileIdentity& file) {
    return file.inode != 0 && record.device == file.device && record.inode == file.inode &&
           record.file_size == file.size && record.mtime_ns == file.mtime_ns;
}

} // namespace

void Modules::create(vfd::Writer* writer) {
    writer_ = writer;
    count_ = 0;
    executable_ = 0;
    sequence_ = 0;
    segment_ = nullptr;
    room_ = 0;
    lock_.unlock();
}

std::uint16_t Modules::known(std::uint64_t address) const {
    std::uint32_t count = count_.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i)
        if (address >= entries_[i].start && address < entries_[i].end && !is_gone(entries_[i]))
            return static_cast<std::uint16_t>(i + 1);
    return 0;
}

std::uint16_t Modules::find(std::uint64_t address, bool* revived) {
    LoadedObject object;
    std::uint16_t id = known(address);
    if (id != 0 && id == executable_.load(std::memory_order_relaxed))
        return id;
    if (id != 0 &&
        (!has_lockless_search() || (find_loaded_object(address, object) && is_same(object, entries_[id - 1]))))
        return id;
    // A signal handler that jumps out would leave the lock held.
    base::InterruptionsDeferred blocked;
    std::lock_guard guard(lock_);
    if (!find_loaded_object(address, object))
        return 0;
    while ((id = known(address)) != 0) {
        if (is_same(object, entries_[id - 1]))
            return id;
        mark_unloaded(entries_[id - 1]);
    }
    id = revive(object, address);
    if (id == 0)
        return add(object, address);
    if (revived)
        *revived = true;
    return id;
}

vfd::ModuleRecord* Modules::new_record(std::size_t bytes) {
    if (!segment_ || segment_->used + bytes > room_) {
        segment_ = writer_->allocate(vfd::SegmentKind::Modules, 0, sequence_++,
                                     std::max<std::size_t>(bytes, 4096 - sizeof(vfd::SegmentHeader)));
        if (!segment_)
            return nullptr;
        room_ = segment_->capacity - segment_->payload_offset;
    }
    return reinterpret_cast<vfd::ModuleRecord*>(vfd::payload<std::byte>(segment_) + segment_->used);
}

std::uint16_t Modules::add(const LoadedObject& object, std::uint64_t address) {
    std::uint32_t index = count_.load(std::memory_order_relaxed);
    if (index >= Max)
        return 0;
    const auto id = build_id_of(object);
    const MappedFile& file = file_of(object, address);
    std::size_t bytes = (sizeof(vfd::ModuleRecord) + id.size() + file.path_size + 7) / 8 * 8;
    vfd::ModuleRecord* record = new_record(bytes);
    if (!record)
        return 0;
    *record = {index + 1,
               static_cast<std::uint16_t>(id.size()),
               static_cast<std::uint16_t>(file.path_size),
               object.start,
               object.end,
               object.bias,
               0,
               file.identity.device,
               file.identity.inode,
               file.identity.size,
               file.identity.mtime_ns};
    auto* text = reinterpret_cast<std::uint8_t*>(record + 1);
    if (!id.empty())
        std::memcpy(text, id.data(), id.size());
    std::memcpy(text + id.size(), file.path, file.path_size);
    std::atomic_ref(segment_->used).store(segment_->used + bytes, std::memory_order_release);
    entries_[index] = {object.start, object.end, object.bias, record, hash_of(object.name), 0, 0, 0};
    count_.store(index + 1, std::memory_order_release);
    if (const std::uint64_t headers = getauxval(AT_PHDR); headers >= object.start && headers < object.end)
        executable_ = static_cast<std::uint16_t>(index + 1);
    return static_cast<std::uint16_t>(index + 1);
}

// Finds the record of an object that was loaded before and is loaded again.
std::uint16_t Modules::revive(const LoadedObject& object, std::uint64_t address) {
    std::uint32_t count = count_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i) {
        ModuleEntry& entry = entries_[i];
        if (!is_gone(entry) || !is_same(object, entry))
            continue;
        if (entry.record->build_id_size == 0 && !is_same_file(*entry.record, file_of(object, address).identity))
            continue;
        __atomic_store_n(&entry.record->unloaded, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&entry.returns, entry.returns + 1, __ATOMIC_RELAXED);
        __atomic_store_n(&entry.gone, 0, __ATOMIC_RELEASE);
        return static_cast<std::uint16_t>(i + 1);
    }
    return 0;
}

void Modules::mark_unloaded(ModuleEntry& entry) {
    if (__atomic_exchange_n(&entry.gone, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    __atomic_store_n(&entry.record->unloaded, base::read_ticks(), __ATOMIC_RELAXED);
    unloads_.fetch_add(1, std::memory_order_release);
}

bool Modules::take_new_paths(std::uint64_t bias) {
    bool any = false;
    const std::uint32_t count = this->count();
    for (std::uint32_t i = 0; i < count; ++i)
        if (ModuleEntry& entry = entries_[i]; entry.bias == bias && !is_gone(entry)) {
            std::uint32_t expected = NewPaths;
            any |= __atomic_compare_exchange_n(&entry.paths, &expected, KnownPaths, false, __ATOMIC_ACQ_REL,
                                               __ATOMIC_RELAXED);
        }
    return any;
}

// The recorder's lock is not held while that of the dynamic linker is: a hook may be waiting for the recorder's lock in
// the middle of a dlopen.
void Modules::find_unloaded() {
    if (count() == 0)
        return;
    struct Seen {
        Modules* modules;
        std::uint32_t count;
        std::bitset<Max> there;
    } seen{this, count(), {}};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& seen = *static_cast<Seen*>(data);
            const LoadedObject object = loaded_object(*info);
            for (std::uint32_t i = 0; i < seen.count; ++i)
                if (const ModuleEntry& entry = seen.modules->entries_[i];
                    object.bias == entry.bias && is_same(object, entry))
                    seen.there.set(i);
            return 0;
        },
        &seen);
    for (std::uint32_t i = 0; i < seen.count; ++i)
        if (ModuleEntry& entry = entries_[i]; !seen.there[i] && !is_gone(entry))
            mark_unloaded(entry);
}

bool Modules::unloaded(std::uint16_t id) const { return id != 0 && is_gone(entries_[id - 1]); }

const ModuleEntry* Modules::entry(std::uint16_t id) const {
    return id == 0 || id > count_.load(std::memory_order_acquire) ? nullptr : &entries_[id - 1];
}

} // namespace vftr::record
