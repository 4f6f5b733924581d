// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "record/modules/modules.hpp"
#include "symbols/symbols.hpp"

#include <vector>

namespace vftr::record {

// A recorded module in the form that the symbols room uses.
symbols::Module module_of(const vfd::ModuleRecord& record);
std::vector<symbols::Module> recorded_modules();

} // namespace vftr::record
