// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "record/thread_state.hpp"

namespace vftr::embed {

// Calls function(user, event). What it throws ends here.
void guarded_call(record::Listening& listening, void (*function)(void*, const void*), void* user, const void* event);

// Exceptions that ended in a guarded call of this process.
std::uint64_t exceptions_caught();

} // namespace vftr::embed
