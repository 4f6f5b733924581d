// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): loaded objects, and the names that belong to the keys of nodes.
#pragma once

#include "vfd/format_tree.hpp"

namespace vftr::vfd {

// One loaded object. The record is followed by build_id_size bytes and path_size bytes (not terminated); the next
// record starts at the next multiple of 8.
struct ModuleRecord {
    std::uint32_t id; // from 1
    std::uint16_t build_id_size;
    std::uint16_t path_size;
    std::uint64_t start; // mapped address range
    std::uint64_t end;
    // Load bias: an address in the file's symbol table is the runtime address − bias.
    std::uint64_t bias;
    std::uint64_t unloaded; // ticks when vftrace found that it had been unloaded (dlclose), 0: it had not
    // The identity of the file that is mapped, 0 if it could not be determined. It is part of a module's key if the
    // module has no build-id.
    std::uint64_t device;
    std::uint64_t inode;
    std::uint64_t file_size;
    std::uint64_t mtime_ns; // CLOCK_REALTIME
};
static_assert(sizeof(ModuleRecord) == 72);

// A name. Regions, MPI functions and the pause have theirs here, and their keys are indices of these records. The names
// of most functions are not here but in the folder's symbol store (symbols/store.hpp), by module and offset. Functions
// of large objects, and of objects that were unloaded, have their names here, and these take precedence. The record is
// followed by `size` bytes; the next record starts at the next multiple of 8.
struct NameRecord {
    std::uint64_t key;    // as Node::key
    std::uint32_t size;   // bytes of the name
    std::uint16_t module; // as Node::module
    NodeKind kind;
    std::uint8_t flags; // NodeFlags; NameFlags for a function
};
static_assert(sizeof(NameRecord) == 16);

enum NameFlags : std::uint8_t {
    NameOfAllObjects = 1, // a function of this name in another object is the same function
};

} // namespace vftr::vfd
