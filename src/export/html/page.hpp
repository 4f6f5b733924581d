// SPDX-License-Identifier: BSD-3-Clause
//
// The page of share_src/viewer/, which the build puts into the program (page.sh), in the two parts around its data.
#pragma once

#include <string_view>

namespace vftr::exports {

std::string_view page_before_data();
std::string_view page_after_data();

} // namespace vftr::exports
