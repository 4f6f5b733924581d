// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for the length of one call, without malloc: what earlier calls have given back, whichever thread made them.
#pragma once

#include <cstddef>

namespace vftr::mpi {

class Scratch {
public:
    // 0: none.
    explicit Scratch(std::size_t bytes);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    void* data() const { return block_ ? block_ + 1 : nullptr; } // aligned for everything; null without memory

private:
    struct alignas(64) Block {
        Block* next;
        std::size_t bytes; // of the mapping
    };
    static Block* free_;
    Block* block_ = nullptr;
};

} // namespace vftr::mpi
