// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/loaded_object.hpp"

#include "base/memory.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>

#include "config.h"

namespace vftr::record {

namespace {

struct Search {
    std::uint64_t address;
    LoadedObject* found;
};

int scan(dl_phdr_info* info, std::size_t, void* data) {
    auto* search = static_cast<Search*>(data);
    const LoadedObject object = loaded_object(*info);
    if (search->address < object.start || search->address >= object.end)
        return 0;
    *search->found = object;
    return 1;
}

bool search_list(std::uint64_t address, LoadedObject& object) {
    Search search{address, &object};
    return dl_iterate_phdr(scan, &search) != 0;
}

} // namespace

LoadedObject loaded_object(const dl_phdr_info& info) {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    for (int i = 0; i < info.dlpi_phnum; ++i)
        if (const auto& p = info.dlpi_phdr[i]; p.p_type == PT_LOAD) {
            low = std::min<std::uint64_t>(low, info.dlpi_addr + p.p_vaddr);
            high = std::max<std::uint64_t>(high, info.dlpi_addr + p.p_vaddr + p.p_memsz);
        }
    low &= ~(std::uint64_t{base::page_size()} - 1);
    return {low,
            std::max(low, high),
            info.dlpi_addr,
            info.dlpi_name ? info.dlpi_name : "",
            info.dlpi_phdr,
            info.dlpi_phnum};
}

#if HAVE__DL_FIND_OBJECT

bool has_lockless_search() { return true; }

bool find_loaded_object(std::uint64_t address, LoadedObject& found) {
    dl_find_object object;
    if (_dl_find_object(reinterpret_cast<void*>(address), &object) != 0)
        return false;
    found.start = reinterpret_cast<std::uint64_t>(object.dlfo_map_start);
    found.end = reinterpret_cast<std::uint64_t>(object.dlfo_map_end);
    found.bias = object.dlfo_link_map->l_addr;
    found.name = object.dlfo_link_map->l_name ? object.dlfo_link_map->l_name : "";
    // In most cases the first page of an object begins with its ELF header and has the program headers behind it.
    const auto* elf = static_cast<const ElfW(Ehdr)*>(object.dlfo_map_start);
    if (std::memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 &&
        elf->e_phoff + elf->e_phnum * sizeof(ElfW(Phdr)) <= base::page_size()) {
        found.headers = reinterpret_cast<const ElfW(Phdr)*>(found.start + elf->e_phoff);
        found.header_count = elf->e_phnum;
        return true;
    }
    LoadedObject listed;
    if (search_list(address, listed)) {
        found.headers = listed.headers;
        found.header_count = listed.header_count;
    }
    return true;
}

#else

bool has_lockless_search() { return false; }

bool find_loaded_object(std::uint64_t address, LoadedObject& object) { return search_list(address, object); }

#endif

std::span<const std::uint8_t> build_id_of(const LoadedObject& object) {
    for (std::size_t i = 0; i < object.header_count; ++i) {
        const auto& p = object.headers[i];
        std::uint64_t at = object.bias + p.p_vaddr, end = at + p.p_memsz;
        if (p.p_type != PT_NOTE || at < object.start || end > object.end || end < at)
            continue;
        std::uint64_t align = p.p_align == 8 ? 8 : 4;
        auto padded = [align](std::uint64_t n) { return (n + align - 1) / align * align; };
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
            std::uint64_t name = at + sizeof *note, text = name + padded(note->n_namesz);
            if (text + note->n_descsz > end)
                break;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz <= 64 &&
                std::memcmp(reinterpret_cast<const void*>(name), "GNU", 4) == 0)
                return {reinterpret_cast<const std::uint8_t*>(text), note->n_descsz};
            at = text + padded(note->n_descsz);
        }
    }
    return {};
}

} // namespace vftr::record
