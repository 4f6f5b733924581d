// SPDX-License-Identifier: BSD-3-Clause
//
// From a linker's symbol name to a reader's. The rules, in this order:
//   symbol version     memcpy@@GLIBC_2.14  → memcpy
//   Intel's clone      work.t10p           → work
//   C++                _Z3foov             → foo(); templates in full; clone suffixes stay: foo()
//   [clone .cold] Fortran underscore work_               → work          (one; MAIN__ stays)
//   contained          inner.3             → inner         (Fortran's internal procedures)
//   module names       __geo_MOD_area, geo_mp_area_ stay (less the underscore) as users know and
//   grep for them;
//                      with strip_module_names only area is left
// The two Fortran rules hold only for names that are known to be Fortran's, and for the _mp_ and
// _MP_ form, which tells itself. Bytes below blank become '?': a name must not break the line of a
// table.
#pragma once

#include "symbols/symbols.hpp"

namespace vftr::symbols {

std::string clean_name(std::string_view symbol, const NameOptions& options, bool is_fortran);

// False: it is, and what is left of it without what a compiler has put behind a dot, the same for Fortran as for other languages.
bool may_have_fortran_decoration(std::string_view symbol);

} // namespace vftr::symbols
