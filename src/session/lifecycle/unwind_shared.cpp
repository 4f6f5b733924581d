// SPDX-License-Identifier: BSD-3-Clause
#include "session/lifecycle/unwind_tables.hpp"

// The dynamic linker knows the tables of a shared library.
void vftr::session::register_unwind_tables() {}
