// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/section.hpp"

#include <string>

namespace vftr::report {

// Appends the call stacks of the rows that earlier tables have shown, in lines of stacklist.max_width characters.
// `option` is the name of the option that the text tells the user to set to 0 to get them in full.
void append_stacklist(const Context& context, const std::string& option, std::string& out);

} // namespace vftr::report
