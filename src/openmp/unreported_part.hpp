// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of untied tasks whose end OMPT did not tell the thread that executed them (ompt_tasks.cpp).
#pragma once

#include "config.h"

#include OMP_TOOLS_H

namespace vftr::openmp {

// If what this thread executed last was a part of an untied task other than `present`, the task that it is told to be
// in: the part is over, and ends. False: there is no such part.
bool end_unreported_part(const ompt_data_t* present);

} // namespace vftr::openmp
