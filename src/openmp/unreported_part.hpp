// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of untied tasks whose end OMPT did not report to the thread that executed them (ompt_tasks.cpp).
#pragma once

#include "config.h"

#include OMP_TOOLS_H

namespace vftr::openmp {

// If this thread last executed a part of an untied task other than `present`, the task that OMPT says it is in: ends
// that part, which is over. Returns false if there is no such part.
bool end_unreported_part(const ompt_data_t* present);

} // namespace vftr::openmp
