// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): loaded objects and names, by which the keys of nodes are told.
#pragma once

#include "vfd/format_tree.hpp"

namespace vftr::vfd {

// One loaded object. Followed by build_id_size bytes and path_size bytes (not terminated); the next
// record starts at the next multiple of 8.
struct ModuleRecord {
    std::uint32_t id; // from 1
    std::uint16_t build_id_size;
    std::uint16_t path_size;
    std::uint64_t start; // mapped address range
    std::uint64_t end;
    std::uint64_t bias;     // load bias: runtime address − bias = address in the file's symbol table
    std::uint64_t unloaded; // ticks when it was seen to be gone (dlclose), 0: not
    // Of the file that is mapped, where that could be found out, else 0. They are part of a module's key where it has
    // no build-id.
    std::uint64_t device;
    std::uint64_t inode;
    std::uint64_t file_size;
    std::uint64_t mtime_ns; // CLOCK_REALTIME
};
static_assert(sizeof(ModuleRecord) == 72);

// A name: of regions, MPI functions, the pause, by index. Most functions have none here: their names are in the symbol
// store of the folder (symbols/store.hpp), by module and offset. Functions of large objects, and of objects that were
// closed, have theirs here, which win. Followed by `size` bytes; the next record starts at the next multiple of 8.
struct NameRecord {
    std::uint64_t key;    // as Node::key
    std::uint32_t size;   // bytes of the name
    std::uint16_t module; // as Node::module
    NodeKind kind;
    std::uint8_t flags; // NodeFlags; of a function NameFlags
};
static_assert(sizeof(NameRecord) == 16);

enum NameFlags : std::uint8_t {
    NameOfAllObjects = 1, // of other objects, a function of this name is the same one
};

} // namespace vftr::vfd
