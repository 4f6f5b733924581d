// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/section.hpp"

#include <string>

namespace vftr::report {

// The call stacks of the rows that earlier tables have shown, in lines of stacklist.max_width characters. `option` is
// the name of the option that the text tells the user to set to 0 to get them in full.
std::string stacklist_text(const Context& context, const std::string& option);

} // namespace vftr::report
