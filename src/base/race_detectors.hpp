// SPDX-License-Identifier: BSD-3-Clause
//
// Valgrind's detectors of data races, Helgrind and DRD, know the locks of the C library alone. What threads share here
// is ordered by atomic operations, which are plain accesses to them: they would report each of our structures, and the
// errors of the program would be lost among ours. So they are asked not to look at our memory. The program's own
// accesses to its own memory are checked as ever, and no order between its threads comes from us.
#pragma once

#include <cstddef>

namespace vftr::base {

// Right after the memory was mapped: whatever is mapped there later is looked at again. Some instructions; no effect
// without Valgrind. Any thread.
void hide_from_race_detectors(void* place, std::size_t bytes);
// The same for the static objects of this library. Once, before there is a second thread.
void hide_static_objects_from_race_detectors();

} // namespace vftr::base
