// SPDX-License-Identifier: BSD-3-Clause
//
// How much of the process's resident memory is there because of vftrace ("Vftrace used memory" in the log). It has
// three parts:
//
//   - Objects: the resident pages of the library and of those objects that only it needs (own_objects.hpp).
//   - Mapped pages of the recording, and the library's anonymous memory (base/own_mappings.hpp): states and tables of
//     threads, copies of shadow stacks, symbol indexes for filters, and the unwind tables of the program's objects that
//     were read when hook calls were patched.
//   - The growth of the process while the recording began and while its results were made. By address, memory of the C
//     library's malloc cannot be told from the program's, so the process is measured before and after. At the end its
//     peak counts, if the peak was reached then.
// Pages that lie in two of the parts are counted once: of the growth of the first two parts, only what happened between
// the two phases is added.
//
// Not counted: page tables and other memory of the kernel; pages of other code that became resident because vftrace
// used it (the dynamic linker, parts of the C library) before the begin and between the two phases, which is a quarter
// of a MiB. Machine code that was patched is a private copy of its page in place of the file's page, so the process is
// not larger by it. Machine code that was only scanned is not counted either, as nobody can tell which of it the
// program executes. Memory that other threads of the program get while the recording begins and ends is counted, too.
#pragma once

#include <cstdint>

namespace vftr::record {

// For one thread at a time. The growth of the process until the phase ends counts as vftrace's. fresh: nothing was
// counted yet, as in a forked child.
void begin_own_phase(bool fresh = false);
void end_own_phase();

// Bytes at present; during a phase, the peak. Any thread; it takes some tenths of a millisecond at most and uses no
// malloc.
std::uint64_t used_memory();

} // namespace vftr::record
