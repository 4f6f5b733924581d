// SPDX-License-Identifier: BSD-3-Clause
#include "record/threads/forked_child.hpp"

#include "base/compiler.hpp"
#include "base/memory.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

namespace {

// The guard page. Threads whose first hooks run at the same time may read it while one of them creates it.
std::atomic<std::atomic<std::uint32_t>*> begun_in_this_process{nullptr};

} // namespace

bool mark_begun() {
    std::atomic<std::uint32_t>* page = begun_in_this_process.load(std::memory_order_acquire);
    if (!page)
        page = static_cast<std::atomic<std::uint32_t>*>(base::map_wiped_on_fork(sizeof *page));
    if (!page)
        return false;
    page->store(1, std::memory_order_relaxed);
    begun_in_this_process.store(page, std::memory_order_release);
    return true;
}

VFTR_COLD bool in_forked_child() {
    const std::atomic<std::uint32_t>* page = begun_in_this_process.load(std::memory_order_acquire);
    return page && page->load(std::memory_order_relaxed) == 0;
}

} // namespace vftr::record
