// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::embed {

// In a forked child, whose modules are counted anew.
void forget_modules();

} // namespace vftr::embed
