// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::follow {

// Prepares the wrappers of exec and spawn. Called when the library is loaded (session/lifecycle/load.cpp), with the
// environment that the constructor gets as an argument.
void load(char** envp);

} // namespace vftr::follow
