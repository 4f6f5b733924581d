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

// The room for output: the size of a terminal, else COLUMNS of the environment (120 if that is no positive number) and
// 24 rows.
OutputSize output_size(std::FILE* out = stdout);
// The room for text that scrolls, for which COLUMNS counts on a terminal, too.
OutputSize batch_size(std::FILE* out = stdout);

} // namespace vftr::cli
