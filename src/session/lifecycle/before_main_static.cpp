// SPDX-License-Identifier: BSD-3-Clause
#include "session/lifecycle/before_main.hpp"

#include <atomic>

namespace vftr::session {

namespace {

std::atomic<bool> begun{false};

__attribute__((constructor)) void constructors_are_done() { begun.store(true, std::memory_order_release); }

} // namespace

bool main_has_begun() { return begun.load(std::memory_order_acquire); }

} // namespace vftr::session
