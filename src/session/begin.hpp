// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// True if this process is a forked child that has not recorded anything itself yet: what it inherited is its parent's.
bool in_forked_child();

} // namespace vftr::session
