// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::record {

// Reads all clocks into the file's header, so that ticks can be converted even if the process dies.
void refresh_clock();

} // namespace vftr::record
