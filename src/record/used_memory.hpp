// SPDX-License-Identifier: BSD-3-Clause
//
// How much of the process' resident memory is there because of us ("Vftrace used memory" in the log).
//
//   - Objects: the library and those that only it needs (own_objects.hpp), as far as their pages are resident.
//   - The recording's pages that are mapped, and our anonymous memory (base/own_mappings.hpp): states and tables of
//   threads, the shadow stacks' copies, indexes of symbols that filters ask; and
//     tables for unwinding in objects of the program, once we have looked there for hook calls to be taken out.
//   - What the process grew by while the recording began and while its results were made: memory of the C library's
//   malloc cannot be told from the program's by its
//     address, so the process is measured before and after. At the end its peak counts, if it was then.
// Of pages that lie in both, those within the last two are counted once: what the first ones grew by is only counted
// between the two.
//
// Not counted: page tables and other memory of the kernel's; what other code's pages became resident by our use (the
// dynamic linker's, some of the C library's) before the begin and between the two: a quarter of a MiB. Text that was
// changed is a private copy of its page, which stands where the file's page was: the process is not larger by that.
// Text that we have looked through is not counted either, as nobody can tell which of it the program executes. What
// other threads of the program get while the recording begins and ends is counted, too.
#pragma once

#include <cstdint>

namespace vftr::record {

// One thread at a time. What the process grows by until the phase ends is ours. fresh: nothing was counted yet, as in a
// forked child.
void begin_own_phase(bool fresh = false);
void end_own_phase();

// Bytes, now; in a phase the largest that it was. Any thread, some tenths of a millisecond at most; no malloc.
std::uint64_t used_memory();

} // namespace vftr::record
