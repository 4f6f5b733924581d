// SPDX-License-Identifier: BSD-3-Clause
//
// How a thread begins to be shared (shared_thread.hpp).
#pragma once

namespace vftr::record {

// Called before the calling thread makes a process that uses its thread-local data; begins its recording if that is
// due. Keeps errno.
void share_thread();

} // namespace vftr::record
