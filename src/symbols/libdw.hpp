// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of libdw that we call, loaded when they are needed (source_lines.hpp).
#pragma once

#include "config.h"

#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>

namespace vftr::symbols {

struct Libdw {
#define VFTR_LIBDW(function) decltype(&::function) function;
#include "symbols/libdw.def"
#undef VFTR_LIBDW
    // nullptr: it is not there, or stands on another libelf than we do. Any thread.
    static const Libdw* load();
};

} // namespace vftr::symbols
#endif
