// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config/config.hpp"

namespace vftr::config {

// Applies options that environment variables set; they override the file. An empty variable counts as not set. A
// variable whose value is not allowed causes a warning, and the option keeps its value.
void read_environment(Loaded& loaded);

} // namespace vftr::config
