// SPDX-License-Identifier: BSD-3-Clause
//
// A forked child has a copy of all that its parent recorded, but for a guard page, which the kernel wipes there. So the
// child is known by an empty page, whatever kind of fork made it.
#pragma once

namespace vftr::record {

// A recording begins in this process. False without memory.
bool mark_begun();

// True if this process is a forked child that has not recorded anything itself yet: what it inherited is its parent's.
bool in_forked_child();

} // namespace vftr::record
