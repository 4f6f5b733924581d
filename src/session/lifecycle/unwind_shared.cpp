// SPDX-License-Identifier: BSD-3-Clause
#include "session/lifecycle/unwind_tables.hpp"

// There is nothing to do: the unwinder gets the tables of a shared library from the dynamic linker.
void vftr::session::register_unwind_tables() {}
