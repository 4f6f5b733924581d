// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdio>

namespace vftr::cli {

struct OutputSize {
    bool terminal; // it is one
    std::size_t columns, rows;
    bool told; // by the terminal or the user: lines may not be longer
};

// What there is room for: of a terminal its size, else COLUMNS of the environment, 120 where that is no number from 1
// on, and 24 rows.
OutputSize output_size(std::FILE* out = stdout);
// The same for text that goes on and on, where COLUMNS counts on a terminal, too.
OutputSize batch_size(std::FILE* out = stdout);

} // namespace vftr::cli
