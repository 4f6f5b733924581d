// SPDX-License-Identifier: BSD-3-Clause
//
// The header that closes a recording whose process did not close it. Its end is the latest moment that occurs in the
// file.
#pragma once

#include "vfd/image.hpp"

namespace vftr::vfd {

// For an open recording, the header becomes sealed, with FlagRecovered and the end. A recording that ended by exec or
// _exit is closed already and keeps its state. file_end becomes the end of the last segment, and memory_bytes, if not
// known, the size of the file.
FileHeader recovered_header(const Image& image);

} // namespace vftr::vfd
