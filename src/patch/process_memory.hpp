// SPDX-License-Identifier: BSD-3-Clause
//
// Accesses the memory of this process as a file, so that reading never faults and machine code can be written
// (patch.hpp gives the reasons).
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

// Owns a descriptor while it exists. Only one thread at a time may use it; it does not call malloc.
class ProcessMemory {
public:
    ProcessMemory();
    ~ProcessMemory();
    ProcessMemory(const ProcessMemory&) = delete;
    ProcessMemory& operator=(const ProcessMemory&) = delete;

    bool is_open() const { return fd_ >= 0; }
    // Returns false if the range is not completely mapped.
    bool read(std::uint64_t address, void* out, std::size_t bytes) const;
    // Reads a few bytes as read() does, where others near by were or will be read: what is around them is read at once,
    // and the latest Blocks of these are trusted until forget() or the next such one. What was written here counts.
    bool glance(std::uint64_t address, void* out, std::size_t bytes) const;
    void forget() const;
    // Returns false, and changes nothing, if the kernel refuses.
    bool write(std::uint64_t address, std::uint8_t byte) const;
    bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) const;

private:
    // A part of a page, so all of it is mapped or nothing.
    static constexpr std::size_t BlockBytes = 128, Blocks = 8;
    static constexpr std::uint64_t NoBlock = 1;
    struct Block {
        std::uint64_t start; // NoBlock: nothing is known
        std::uint8_t bytes[BlockBytes];
    };
    // nullptr: not known.
    Block* block_at(std::uint64_t start) const;

    int fd_;
    mutable Block blocks_[Blocks];
    mutable std::size_t oldest_ = 0;
};

// Registers the process so that synchronise() has an effect until the process ends. Returns false if the kernel does
// not support that (Linux before 4.16) or does not permit it.
bool prepare_synchronise();
// When it returns, every thread of this process executes the code as it is now.
void synchronise();

} // namespace vftr::patch
