// SPDX-License-Identifier: BSD-3-Clause
//
// What the header of a file tells of the run that left it.
#pragma once

#include "vfd/format.hpp"

#include <optional>
#include <string>

namespace vftr::output {

// The header of a recording or merged profile; nullopt if `path` is none.
std::optional<vfd::FileHeader> header_of(const std::string& path);

// Whether another process writes this recording now. Of another machine's processes, and those of another pid
// namespace, only the file can tell.
bool being_written(const std::string& path);

} // namespace vftr::output
