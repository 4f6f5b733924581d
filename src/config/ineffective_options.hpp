// SPDX-License-Identifier: BSD-3-Clause
//
// Options that do nothing because of others. Who tries a configuration out wants to know; a run does not say it, as one
// may well switch sampling.active off and on and leave the rest as it is. A value that is the default is as good as
// none: the printed configuration has all.
#pragma once

#include "config/counters_check.hpp"

#include <vector>

namespace vftr::config {

// Loaded::ineffective. given: of the file that `config` was read from.
std::vector<Problem> ineffective_options(const Given& given, std::string_view text, const std::string& file,
                                         const Config& config);

// Loaded::not_yet. A run does say this, in one line, as the results will lack what was asked for.
std::string options_of_later(const Given& given, const Config& config);

} // namespace vftr::config
