// SPDX-License-Identifier: BSD-3-Clause
//
// Recognises a forked child. It has a copy of everything that its parent recorded, except for a guard page, which the
// kernel wipes in the child. So an empty page identifies the child, whatever kind of fork made it.
#pragma once

namespace vftr::record {

// Marks that a recording begins in this process. False without memory.
bool mark_begun();

// True if this process is a forked child that has not recorded anything itself yet: all data that it has is its
// parent's.
bool in_forked_child();

} // namespace vftr::record
