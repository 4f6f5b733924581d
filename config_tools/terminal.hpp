// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdio>

namespace vftr::cli {

struct OutputSize {
    bool terminal; // it is one
    std::size_t columns, rows;
};

// What there is room for: of a terminal its size, else 120 columns and 24 rows.
OutputSize output_size(std::FILE* out = stdout);

} // namespace vftr::cli
