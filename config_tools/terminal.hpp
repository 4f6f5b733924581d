// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace vftr::cli {

struct OutputSize {
    bool terminal; // standard output is one
    std::size_t columns, rows;
};

// Of the terminal; where standard output is none, 120 columns and 24 rows.
OutputSize output_size();

} // namespace vftr::cli
