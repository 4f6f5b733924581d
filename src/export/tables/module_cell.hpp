// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/tables/table.hpp"

#include <cstdint>

namespace vftr::exports {

// The file name of the executable or library that has the function of a path; absent where it is in none, as a region,
// or not known.
void put_module(const TablePart& part, std::uint32_t path, Cell& cell);

} // namespace vftr::exports
