// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/scratch.hpp"

#include "mpi/guard.hpp"

#include <algorithm>

namespace vftr::mpi {
namespace {

constinit base::SpinLock lock;
constexpr std::size_t Least = 1 << 16;

} // namespace

constinit Scratch::Block* Scratch::free_ = nullptr;

Scratch::Scratch(std::size_t bytes) {
    if (bytes == 0)
        return;
    bytes += sizeof(Block);
    {
        const Guard guard(lock);
        block_ = free_;
        if (block_)
            free_ = block_->next;
    }
    if (block_ && block_->bytes >= bytes)
        return;
    if (block_)
        base::unmap(block_, block_->bytes);
    bytes = base::round_to_pages(std::max(Least, bytes + bytes / 2));
    block_ = static_cast<Block*>(base::map_anonymous(bytes));
    if (block_)
        block_->bytes = bytes;
}

Scratch::~Scratch() {
    if (!block_)
        return;
    const Guard guard(lock);
    block_->next = free_;
    free_ = block_;
}

} // namespace vftr::mpi
