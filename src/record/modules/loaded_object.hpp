// SPDX-License-Identifier: BSD-3-Clause
//
// What the dynamic linker knows about a loaded object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <link.h>
#include <span>

namespace vftr::record {

struct LoadedObject {
    std::uint64_t start = 0, end = 0, bias = 0;
    const char* name = ""; // "" for the executable
    const ElfW(Phdr) * headers = nullptr;
    std::size_t header_count = 0;
};

// Finds the object that contains `address`. A function of the object is being called, so it stays loaded meanwhile.
// Where the C library permits (has_lockless_search) this takes no lock; otherwise, and where the program headers are
// not on the object's first page, it uses dl_iterate_phdr.
bool find_loaded_object(std::uint64_t address, LoadedObject& object);
bool has_lockless_search();

// The object that dl_iterate_phdr describes by `info`.
LoadedObject loaded_object(const dl_phdr_info& info);

// The NT_GNU_BUILD_ID note in the mapped image; empty if there is none.
std::span<const std::uint8_t> build_id_of(const LoadedObject& object);

} // namespace vftr::record
