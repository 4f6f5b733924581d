// SPDX-License-Identifier: BSD-3-Clause
//
// A file of the symbol store, version 1: the functions of one loaded object. The manual page vftr-symbols(5) describes
// it, too.
//
//   StoreHeader
//   key, path        strings, not terminated: the object whose symbols these are
//   StoredFunction[] sorted by address, no two equal
//   names            strings, not terminated, in the order of the functions; the name of a function with
//                    StoredShared is followed by two bytes, the size of its origin (shared_names.hpp),
//                    and by the origin
//
// Numbers have the byte order of the machine (little-endian on all that vftrace supports), and offsets count from the
// start of the file. The bytes depend only on the object, its debug file and its path, and not on the run or the
// process that wrote them.
//
// A lookup is a binary search in the file (pread): about twenty steps for a million functions, and no memory. Therefore
// neither a program that calls ten functions of a huge executable nor a tool that reads the recordings of ten thousand
// ranks has to hold all of them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace vftr::symbols {

inline constexpr char StoreMagic[8] = {'V', 'F', 'T', 'R', 'S', 'Y', 'M', '\n'};
inline constexpr std::uint32_t StoreVersion = 1;

enum StoreFlags : std::uint32_t {
    // Static functions are included, because the object has a .symtab. Without this flag there are only those that a
    // stripped object exports.
    StoreComplete = 1,
    // Functions that share a name are marked with StoredShared. Files of earlier versions lack this flag.
    StoreDistinguished = 2,
    // Functions that are the same one in all objects are marked with StoredWeak. Files of earlier versions lack this
    // flag.
    StoreWeakKnown = 4,
};

struct StoreHeader {
    char magic[8];
    std::uint32_t version;
    std::uint32_t flags;               // StoreFlags
    std::uint32_t key_size, path_size; // bytes; the strings follow this header
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
    // Index of a function that begins earlier and extends into this one, or NoFunction.
    std::uint32_t enclosing;
    std::uint32_t flags; // StoredFlags
};
static_assert(sizeof(StoredFunction) == 32);
static_assert(std::is_trivially_copyable_v<StoredFunction>);

enum StoredFlags : std::uint32_t {
    StoredFortran = 1,
    StoredShared = 2, // another function of the object has this name
    StoredWeak = 4,   // a function of this name in another object is the same one (SymbolTable::Found)
};
inline constexpr std::uint32_t NoFunction = 0xffffffff;

} // namespace vftr::symbols
