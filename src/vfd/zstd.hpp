// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of libzstd that vftrace calls. The library is loaded when it is first needed, so that a program that is
// recorded without compression never loads it, and where it is not installed only compression is missing.
#pragma once

#include "config.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

namespace vftr::vfd {

struct Zstd {
#define VFTR_ZSTD(function) decltype(&::function) function;
#include "vfd/zstd.def"
#undef VFTR_ZSTD
    // Returns nullptr if it is not available. Any thread may call it.
    static const Zstd* load();
};

} // namespace vftr::vfd
#endif
