// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for the duration of one call, without malloc. It reuses blocks that earlier calls of any thread have given
// back.
#pragma once

#include <cstddef>

namespace vftr::mpi {

class Scratch {
public:
    // With 0 bytes it takes no memory.
    explicit Scratch(std::size_t bytes);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    void* data() const { return block_ ? block_ + 1 : nullptr; } // aligned for every type; null without memory

private:
    struct alignas(64) Block {
        Block* next;
        std::size_t bytes; // of the mapping
    };
    static Block* free_;
    Block* block_ = nullptr;
};

} // namespace vftr::mpi
