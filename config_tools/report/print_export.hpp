// SPDX-License-Identifier: BSD-3-Clause
//
// Prints a run's profile in a format of vftr export: what vftr export -o - and vftr report --format have in common.
#pragma once

#include "config_tools/report/run_files.hpp"
#include "export/format.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace vftr::cli {

// Throws std::runtime_error for a name that is no format's.
const exports::Format& export_format(std::string_view name);
// To standard output. With `rank` only that rank; throws std::runtime_error if there is no file of it.
void print_export(const RunFiles& files, const exports::Format& format, std::optional<std::int32_t> rank);

} // namespace vftr::cli
