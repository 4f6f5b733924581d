// SPDX-License-Identifier: BSD-3-Clause
//
// What tables and callbacks call a construct of OpenMP.
#pragma once

#include "vfd/format_constructs.hpp"

#include <string>

namespace vftr::vfd {

// The construct as a program writes it: "omp parallel".
std::string directive(Construct construct);

} // namespace vftr::vfd
