// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::follow {

// Prepares to follow exec and spawn. Called when the library is loaded (session/lifecycle/load.cpp), with the
// environment that a constructor is given.
void load(char** envp);

} // namespace vftr::follow
