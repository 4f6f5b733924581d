// SPDX-License-Identifier: BSD-3-Clause
//
// A profile as a Perfetto trace, which its viewer draws as a flame graph (version 58 and later): a sample for each call
// path, whose weight is the exclusive time of all its calls, with their number as a second weight. Each part of the
// profile is a process. All samples are at the start, as a profile does not know when something happened.
#pragma once

#include "export/format.hpp"

namespace vftr::exports::perfetto {

void write_profile(const Subject& subject, Sink& sink);

} // namespace vftr::exports::perfetto
