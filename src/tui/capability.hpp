// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::tui {

// What the terminal is sent for a capability of terminfo that is a text; nullptr: it has none. setupterm() or newterm()
// comes before.
const char* capability(const char* name);

} // namespace vftr::tui
