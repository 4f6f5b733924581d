// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of libdw that vftrace calls. They are loaded when they are first needed (source_lines.hpp).
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
    // Returns nullptr if libdw is not available, or if it uses another copy of libelf than vftrace. Any thread may call
    // it.
    static const Libdw* load();
};

} // namespace vftr::symbols
#endif
