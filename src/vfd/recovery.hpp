// SPDX-License-Identifier: BSD-3-Clause
//
// The header that closes a recording whose process did not: the end is the last moment that anything in the file speaks
// of.
#pragma once

#include "vfd/image.hpp"

namespace vftr::vfd {

// Of an open recording: sealed, FlagRecovered, with its end. Of one that ended by exec or _exit: it is closed already,
// and stays as it is. file_end is that of the last segment; memory_bytes, where not known, what the file took.
FileHeader recovered_header(const Image& image);

} // namespace vftr::vfd
