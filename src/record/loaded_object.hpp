// SPDX-License-Identifier: BSD-3-Clause
//
// What the dynamic linker knows of a loaded object.
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

// The object that `address` lies in. Its function is being called, so it stays meanwhile. Without a lock where the C
// library can (has_lockless_search), else and where the program headers are not on its first page by dl_iterate_phdr.
bool find_loaded_object(std::uint64_t address, LoadedObject& object);
bool has_lockless_search();

// From what dl_iterate_phdr shows.
LoadedObject loaded_object(const dl_phdr_info& info);

// The NT_GNU_BUILD_ID note in the mapped image; empty if there is none.
std::span<const std::uint8_t> build_id_of(const LoadedObject& object);

} // namespace vftr::record
