// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules.hpp"

#include "record/mapped_file.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mutex>
#include <unistd.h>

#include "config.h"

namespace vftr::record {

namespace {

struct Found {
    std::uint64_t start = 0, end = 0, bias = 0;
    const char* name = "";
    const ElfW(Phdr) * headers = nullptr;
    std::size_t header_count = 0;
};

#if HAVE__DL_FIND_OBJECT

bool find_object(std::uint64_t address, Found& found) {
    dl_find_object object;
    if (_dl_find_object(reinterpret_cast<void*>(address), &object) != 0)
        return false;
    found.start = reinterpret_cast<std::uint64_t>(object.dlfo_map_start);
    found.end = reinterpret_cast<std::uint64_t>(object.dlfo_map_end);
    found.bias = object.dlfo_link_map->l_addr;
    found.name = object.dlfo_link_map->l_name ? object.dlfo_link_map->l_name : "";
    // The first page of an object is its ELF header, where the linker put it into a PT_LOAD (all do).
    const auto* elf = static_cast<const ElfW(Ehdr)*>(object.dlfo_map_start);
    if (std::memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 &&
        elf->e_phoff + elf->e_phnum * sizeof(ElfW(Phdr)) <= base::page_size()) {
        found.headers = reinterpret_cast<const ElfW(Phdr)*>(found.start + elf->e_phoff);
        found.header_count = elf->e_phnum;
    }
    return true;
}

#else

struct Search {
    std::uint64_t address;
    Found* found;
};

int examine(dl_phdr_info* info, std::size_t, void* data) {
    auto* search = static_cast<Search*>(data);
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (const auto& p = info->dlpi_phdr[i]; p.p_type == PT_LOAD) {
            low = std::min<std::uint64_t>(low, info->dlpi_addr + p.p_vaddr);
            high = std::max<std::uint64_t>(high, info->dlpi_addr + p.p_vaddr + p.p_memsz);
        }
    if (search->address < low || search->address >= high)
        return 0;
    *search->found = {low, high, info->dlpi_addr, info->dlpi_name, info->dlpi_phdr, info->dlpi_phnum};
    return 1;
}

bool find_object(std::uint64_t address, Found& found) {
    Search search{address, &found};
    return dl_iterate_phdr(examine, &search) != 0;
}

#endif

// The NT_GNU_BUILD_ID note in the mapped image; its size, 0 if there is none.
std::size_t find_build_id(const Found& found, const std::uint8_t** id) {
    for (std::size_t i = 0; i < found.header_count; ++i) {
        const auto& p = found.headers[i];
        std::uint64_t at = found.bias + p.p_vaddr, end = at + p.p_memsz;
        if (p.p_type != PT_NOTE || at < found.start || end > found.end || end < at)
            continue;
        std::uint64_t align = p.p_align == 8 ? 8 : 4;
        auto padded = [align](std::uint64_t n) { return (n + align - 1) / align * align; };
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
            std::uint64_t name = at + sizeof *note, text = name + padded(note->n_namesz);
            if (text + note->n_descsz > end)
                break;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz <= 64 &&
                std::memcmp(reinterpret_cast<const void*>(name), "GNU", 4) == 0) {
                *id = reinterpret_cast<const std::uint8_t*>(text);
                return note->n_descsz;
            }
            at = text + padded(note->n_descsz);
        }
    }
    return 0;
}

// The path as a reader elsewhere needs it: absolute. Returns its length.
std::size_t absolute_path(const char* name, char* out, std::size_t room) {
    std::size_t used = 0;
    if (std::strchr(name, '/') && name[0] != '/' && getcwd(out, room)) {
        used = std::strlen(out);
        out[used++] = '/';
    }
    std::size_t n = std::min(std::strlen(name), room - used);
    std::memcpy(out + used, name, n);
    return used + n;
}

} // namespace

void Modules::create(vfd::Writer* writer) {
    writer_ = writer;
    count_ = 0;
    sequence_ = 0;
    segment_ = nullptr;
    room_ = 0;
    lock_.unlock();
}

std::uint16_t Modules::known(std::uint64_t address) const {
    std::uint32_t count = count_.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i)
        if (address >= entries_[i].start && address < entries_[i].end)
            return static_cast<std::uint16_t>(i + 1);
    return 0;
}

std::uint16_t Modules::find(std::uint64_t address) {
    if (std::uint16_t id = known(address))
        return id;
    std::lock_guard guard(lock_);
    if (std::uint16_t id = known(address))
        return id;
    return add(address);
}

std::uint16_t Modules::add(std::uint64_t address) {
    Found found;
    std::uint32_t index = count_.load(std::memory_order_relaxed);
    if (index >= Max || !find_object(address, found))
        return 0;
    // Under the lock; the caller may have little stack.
    static MappedFile file;
    const std::uint8_t* id = nullptr;
    std::size_t id_size = find_build_id(found, &id);
    const bool is_main = found.name[0] == '\0';
    if (is_main || id_size == 0)
        find_mapped_file(address, file);
    else
        file.identity = {};
    if (!is_main)
        file.path_size = absolute_path(found.name, file.path, sizeof file.path);
    const std::size_t path_size = file.path_size;
    std::size_t bytes = (sizeof(vfd::ModuleRecord) + id_size + path_size + 7) / 8 * 8;
    if (!segment_ || segment_->used + bytes > room_) {
        segment_ = writer_->allocate(vfd::SegmentKind::Modules, 0, sequence_++,
                                     std::max<std::size_t>(bytes, 4096 - sizeof(vfd::SegmentHeader)));
        if (!segment_)
            return 0;
        room_ = segment_->capacity - segment_->payload_offset;
    }
    auto* record = reinterpret_cast<vfd::ModuleRecord*>(vfd::payload<std::byte>(segment_) + segment_->used);
    *record = {index + 1, static_cast<std::uint16_t>(id_size), static_cast<std::uint16_t>(path_size),
               found.start, found.end, found.bias, 0, file.identity.device, file.identity.inode, file.identity.size, file.identity.mtime_ns};
    auto* text = reinterpret_cast<std::uint8_t*>(record + 1);
    if (id_size)
        std::memcpy(text, id, id_size);
    std::memcpy(text + id_size, file.path, path_size);
    std::atomic_ref(segment_->used).store(segment_->used + bytes, std::memory_order_release);
    entries_[index] = {found.start, found.end, found.bias, record};
    count_.store(index + 1, std::memory_order_release);
    return static_cast<std::uint16_t>(index + 1);
}

const ModuleEntry* Modules::entry(std::uint16_t id) const {
    return id == 0 || id > count_.load(std::memory_order_acquire) ? nullptr : &entries_[id - 1];
}

} // namespace vftr::record
