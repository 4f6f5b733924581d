// SPDX-License-Identifier: BSD-3-Clause
#include "record/threads/forked_child.hpp"

#include "base/compiler.hpp"
#include "base/wiped_on_fork.hpp"

#include <atomic>

namespace vftr::record {

namespace {

// Threads whose first hooks run at the same time may read it while one of them makes it.
base::WipedOnFork<std::atomic<bool>> begun_in_this_process;

} // namespace

bool mark_begun() {
    const auto mark = [](std::atomic<bool>& begun) { begun.store(true, std::memory_order_relaxed); };
    std::atomic<bool>* const begun = begun_in_this_process.make(mark);
    if (begun)
        mark(*begun);
    return begun;
}

VFTR_COLD bool in_forked_child() {
    const std::atomic<bool>* const begun = begun_in_this_process.get();
    return begun && !begun->load(std::memory_order_relaxed);
}

} // namespace vftr::record
