// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// Does what `vftr ctl` asks for (vfd/control.hpp), if no other thread does it already, and answers. Called with the
// guard held. Does nothing where the thread is within the program's allocator; the next event asks again. Keeps errno.
void obey_control();

} // namespace vftr::session
