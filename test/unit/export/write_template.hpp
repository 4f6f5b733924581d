// SPDX-License-Identifier: BSD-3-Clause
//
// Declares what src/export/template.cpp defines, as no row of exports.def does.
#pragma once

#include "export/format.hpp"

namespace vftr::exports {
void write_template(const Subject& subject, const Options& options, Sink& sink);
} // namespace vftr::exports
