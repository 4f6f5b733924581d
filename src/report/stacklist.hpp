// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/section.hpp"

#include <string>

namespace vftr::report {

// The call stacks of the rows that the tables before showed, in lines of stacklist.max_width. `option`: what the reader
// is told to set to 0 to have them whole.
std::string stacklist_text(const Context& context, const std::string& option);

} // namespace vftr::report
