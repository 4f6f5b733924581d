// SPDX-License-Identifier: BSD-3-Clause
//
// The headers of gcc, which must be included in this order, and after those of the C++ library.
#pragma once

// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "function.h"
#include "basic-block.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "gimple-pretty-print.h"
#include "tree-cfg.h"
#include "tree-pass.h"
#include "tree-ssa-alias.h"
#include "internal-fn.h"
#include "gimple-expr.h"
#include "sreal.h"
#include "cfgloop.h"
#include "cgraph.h"
#include "ssa.h"
#include "attribs.h"
#include "stringpool.h"
#include "langhooks.h"
#include "context.h"
#include "diagnostic-core.h"
#include "options.h"
#include "target.h"
// clang-format on
