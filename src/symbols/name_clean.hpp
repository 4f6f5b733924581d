// SPDX-License-Identifier: BSD-3-Clause
//
// Converts a linker's symbol name to a readable one, and to the one that earlier versions displayed, so that filters
// that were written for those still work. The rules are applied in this order:
//   symbol version     memcpy@@GLIBC_2.14  → memcpy
//   Intel's clone      work.t10p           → work
//   clones             f.constprop.0       → f (also .isra, .part, .cold, .lto_priv; .llvm of clang): parts and
//   variants of a
//                      function that the compiler has made of it
//   C++                _Z3foov             → foo(); templates in full;
//                      local classes with the same name get numbers: main::Loc#2::m() (cxx_names.hpp)
//   Fortran's modules  __geo_MOD_area      → geo::area     (fortran_names.hpp; strip_module_names leaves area)
//   Fortran underscore work_               → work          (one)
//   contained          inner.3             → inner         (Fortran's internal procedures; module_names.hpp puts
//                      their hosts before them)
// The last two apply only to names that are known to be Fortran's. The former name is made without the rule for
// Fortran's modules (__geo_MOD_area, and geo_mp_area for geo_mp_area_), without that for clones, and without the
// numbers of local classes in C++. Bytes below a blank become '?', because a name must not break the lines of a table.
#pragma once

#include "symbols/symbols.hpp"

namespace vftr::symbols {

std::string clean_name(std::string_view symbol, const NameOptions& options, bool is_fortran);
// Returns an empty string if it is the same.
std::string former_name(std::string_view symbol, const NameOptions& options, bool is_fortran);

// The symbol without what marks a clone, or all of it.
std::string_view without_clone_suffix(std::string_view symbol);

// True for names of gfortran such as inner.3. Only the debug information tells the host.
bool is_internal_procedure(std::string_view symbol);

// Whether this is a C++ function that other source files may refer to by its name. If its symbol is local, it was
// hidden from other objects, as -fvisibility-inlines-hidden does with inline functions; the linker then also removes
// the mark that they are weak. (Lambdas of a function are always local to it.)
bool is_hidden_cxx(std::string_view local_symbol);

// If false, the name has no Fortran decoration: clean_name returns the same for Fortran as for other languages, also
// for the part before a suffix that a compiler has added behind a dot.
bool may_have_fortran_decoration(std::string_view symbol);

} // namespace vftr::symbols
