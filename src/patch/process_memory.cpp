// SPDX-License-Identifier: BSD-3-Clause
#include "patch/process_memory.hpp"

#include "base/descriptor.hpp"
#include "base/system_call.hpp"
#include "base/whole_io.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <unistd.h>

namespace vftr::patch {

namespace {

// As in linux/membarrier.h, which older systems lack or which lacks these constants there.
constexpr int PrivateExpeditedSyncCore = 1 << 5, RegisterPrivateExpeditedSyncCore = 1 << 6;

int membarrier(int command) { return static_cast<int>(base::system_call(SYS_membarrier, command)); }

} // namespace

ProcessMemory::ProcessMemory() : fd_(base::open_file("/proc/self/mem", O_RDWR)) { forget(); }

ProcessMemory::~ProcessMemory() {
    if (fd_ >= 0)
        base::close_file(fd_);
}

bool ProcessMemory::read(std::uint64_t address, void* out, std::size_t bytes) const {
    return base::read_at(fd_, out, bytes, address) == static_cast<ssize_t>(bytes);
}

ProcessMemory::Block* ProcessMemory::block_at(std::uint64_t start) const {
    Block* const found = std::find_if(std::begin(blocks_), std::end(blocks_),
                                      [start](const Block& block) { return block.start == start; });
    return found == std::end(blocks_) ? nullptr : found;
}

bool ProcessMemory::glance(std::uint64_t address, void* out, std::size_t bytes) const {
    const std::size_t offset = address % BlockBytes;
    if (offset + bytes > BlockBytes)
        return read(address, out, bytes);
    const Block* known = block_at(address - offset);
    if (!known) {
        Block& block = blocks_[oldest_];
        block.start = NoBlock;
        if (!read(address - offset, block.bytes, sizeof block.bytes))
            return false;
        block.start = address - offset;
        oldest_ = (oldest_ + 1) % Blocks;
        known = &block;
    }
    std::memcpy(out, known->bytes + offset, bytes);
    return true;
}

void ProcessMemory::forget() const {
    for (Block& block : blocks_)
        block.start = NoBlock;
}

bool ProcessMemory::write(std::uint64_t address, std::uint8_t byte) const {
    const bool written = base::write_at(fd_, &byte, 1, address) == 0;
    if (Block* const block = written ? block_at(address - address % BlockBytes) : nullptr)
        block->bytes[address % BlockBytes] = byte;
    return written;
}

bool ProcessMemory::write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) const {
    forget();
    return base::write_at(fd_, bytes, count, address) == 0;
}

bool prepare_synchronise() { return membarrier(RegisterPrivateExpeditedSyncCore) == 0; }

void synchronise() {
    // It is not documented whether a forked child has its parent's registration.
    if (membarrier(PrivateExpeditedSyncCore) == -EPERM && prepare_synchronise())
        membarrier(PrivateExpeditedSyncCore);
}

} // namespace vftr::patch
