// SPDX-License-Identifier: BSD-3-Clause
//
// A file of the symbol store, version 1: the functions of one loaded object. The manual page vftr-symbols(5) describes
// it too.
//
//   StoreHeader
//   key, path        text, not terminated: what the file is the symbols of
//   StoredFunction[] sorted by address, no two equal
//   names            text, not terminated, in the order of the functions; behind the name of one that is StoredShared
//   two bytes, the size of its origin (shared_names.hpp),
//                    and that
//
// Numbers are those of the machine (little-endian on all that vftrace runs on), offsets count from the start of the
// file. The bytes depend on nothing but the object, its debug file and its path: neither on the run nor on who wrote
// first.
//
// A lookup is a binary search in the file (pread): some twenty steps for a million functions and no memory, so that a
// program which calls ten functions of a huge executable, or a tool that reads the recordings of ten thousand ranks,
// never holds all of them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace vftr::symbols {

inline constexpr char StoreMagic[8] = {'V', 'F', 'T', 'R', 'S', 'Y', 'M', '\n'};
inline constexpr std::uint32_t StoreVersion = 1;

enum StoreFlags : std::uint32_t {
    StoreComplete = 1, // static functions too: from a .symtab. Else only those that a stripped object shows to others
    StoreDistinguished =
        2,              // functions that share a name are marked (StoredShared); files of earlier versions lack that
    StoreWeakKnown = 4, // those that are the same function in all objects are marked (StoredWeak); files of earlier
                        // versions lack that, too
};

struct StoreHeader {
    char magic[8];
    std::uint32_t version;
    std::uint32_t flags;               // StoreFlags
    std::uint32_t key_size, path_size; // bytes; the texts follow this header
    std::uint64_t functions;           // number of StoredFunction
    std::uint64_t functions_offset;
    std::uint64_t names_offset;
    std::uint64_t names_size;
    std::uint64_t file_size; // of the whole file
};
static_assert(sizeof(StoreHeader) == 64);

struct StoredFunction {
    std::uint64_t start;     // address in the object's symbol table (runtime address − load bias)
    std::uint64_t name;      // offset from names_offset
    std::uint32_t name_size; // bytes
    std::uint32_t size;      // bytes of code
    std::uint32_t enclosing; // number of a function that begins earlier and reaches into this one, NoFunction
    std::uint32_t flags;     // StoredFlags
};
static_assert(sizeof(StoredFunction) == 32);
static_assert(std::is_trivially_copyable_v<StoredFunction>);

enum StoredFlags : std::uint32_t {
    StoredFortran = 1,
    StoredShared = 2, // another function of the object has this name
    StoredWeak = 4,   // of other objects, one of this name is the same function (SymbolTable::Found)
};
inline constexpr std::uint32_t NoFunction = 0xffffffff;

} // namespace vftr::symbols
