// SPDX-License-Identifier: BSD-3-Clause
#include "base/race_detectors.hpp"

#include "base/valgrind.hpp"

#include <cstdint>

// The bounds of this library's static objects: those that are initialised (with and without addresses) and the others
// (src/library.am). They are weak because vftr and the unit tests, which have no second thread in a hook, are linked
// without them.
#define VFTR_BOUND extern char __attribute__((visibility("hidden"), weak))
extern "C" {
VFTR_BOUND vftr_data_begin[];
VFTR_BOUND vftr_data_end[];
VFTR_BOUND vftr_data_rel_begin[];
VFTR_BOUND vftr_data_rel_end[];
VFTR_BOUND vftr_data_rel_local_begin[];
VFTR_BOUND vftr_data_rel_local_end[];
VFTR_BOUND vftr_bss_begin[];
VFTR_BOUND vftr_bss_end[];
}

namespace vftr::base {

namespace {

// A linker that optimises the whole program may choose another order.
void hide_between(char* begin, char* end) {
    const auto from = reinterpret_cast<std::uintptr_t>(begin), to = reinterpret_cast<std::uintptr_t>(end);
    if (from != 0 && from < to)
        hide_from_race_detectors(begin, to - from);
}

} // namespace

void hide_from_race_detectors(void* begin, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    ask_valgrind(ValgrindRequest::HelgrindUntrack, address, bytes);
    ask_valgrind(ValgrindRequest::DrdSuppress, address, bytes);
}

void hide_static_objects_from_race_detectors() {
    hide_between(vftr_data_begin, vftr_data_end);
    hide_between(vftr_data_rel_begin, vftr_data_rel_end);
    hide_between(vftr_data_rel_local_begin, vftr_data_rel_local_end);
    hide_between(vftr_bss_begin, vftr_bss_end);
}

} // namespace vftr::base
