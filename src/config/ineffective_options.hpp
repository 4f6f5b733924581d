// SPDX-License-Identifier: BSD-3-Clause
//
// Finds options that have no effect because of other options. A user who tests a configuration wants to know these. A
// run does not report them, because one may well switch sampling.active off and on and leave the other options as they
// are. A value that equals the default counts as not given, because a printed configuration contains all options.
#pragma once

#include "config/counters_check.hpp"

#include <vector>

namespace vftr::config {

// Returns Loaded::ineffective. `given`: the options in the file that `config` was read from.
std::vector<Problem> ineffective_options(const Given& given, std::string_view text, const std::string& file,
                                         const Config& config);

// Returns Loaded::not_yet. A run does report this, in one line, because the results will lack what the file asks for.
std::string options_of_later(const Given& given, const Config& config);

} // namespace vftr::config
