// SPDX-License-Identifier: BSD-3-Clause
//
// Valgrind's race detectors, Helgrind and DRD, understand only the locks of the C library. The threads of vftrace
// synchronise by atomic operations, which are plain accesses to these tools: they would report each of vftrace's data
// structures, and hide the program's own errors among these reports. Therefore they are asked to ignore vftrace's
// memory. They still check all of the program's accesses to its own memory, and vftrace adds no ordering between its
// threads.
#pragma once

#include <cstddef>

namespace vftr::base {

// Must be called directly after the memory was mapped; a later mapping at the same address is checked again. It takes a
// few instructions and has no effect without Valgrind. Any thread may call it.
void hide_from_race_detectors(void* address, std::size_t bytes);
// Hides the static objects of this library. Must be called once, before there is a second thread.
void hide_static_objects_from_race_detectors();

} // namespace vftr::base
