// SPDX-License-Identifier: BSD-3-Clause
//
// Makes exceptions within libvftrace.a possible in a fully static executable.
//
// The archive contains an unwinder of its own, so that the program's unwinder is left alone. An unwinder finds the
// unwind tables by the program header PT_GNU_EH_FRAME, but gcc -static makes none: there the start files register the
// tables with the program's unwinder, and not with that of the library. Without this file, the first exception within
// the library would end the program.
#include "session/lifecycle/unwind_tables.hpp"

#include <cstddef>
#include <link.h>

extern "C" {
void __register_frame_info(const void* begin, void* object);                   // libgcc's
extern const char vftr_eh_frame_begin[] __attribute__((visibility("hidden"))); // src/library.am
}

namespace vftr::session {

namespace {

// Looks at the first object only: in a static executable there is no other one; in a dynamic one, the first is the
// executable, for which the linker makes the header.
int look_for_tables(dl_phdr_info* info, std::size_t, void* found) {
    for (int i = 0; i < info->dlpi_phnum; ++i)
        *static_cast<bool*>(found) |= info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME;
    return 1;
}

} // namespace

void register_unwind_tables() {
    alignas(16) static char object[256]; // libgcc's struct object, whose size is in no header: 64 bytes or less
    bool found = false;
    dl_iterate_phdr(look_for_tables, &found);
    if (!found)
        __register_frame_info(vftr_eh_frame_begin, object);
}

} // namespace vftr::session
