// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of libzstd that we call, loaded when they are needed: a program that is recorded without compression
// never sees it, and where it is not installed nothing but compression is missing.
#pragma once

#include "config.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

namespace vftr::vfd {

struct Zstd {
#define VFTR_ZSTD(function) decltype(&::function) function;
#include "vfd/zstd.def"
#undef VFTR_ZSTD
    // nullptr: it is not there. Any thread.
    static const Zstd* load();
};

} // namespace vftr::vfd
#endif
