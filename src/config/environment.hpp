// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config/config.hpp"

namespace vftr::config {

// Options that environment variables set: they win over the file. A variable that is empty counts as not set; one whose
// value is not allowed is a warning, and the option keeps what it has.
void read_environment(Loaded& loaded);

} // namespace vftr::config
