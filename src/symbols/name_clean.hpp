// SPDX-License-Identifier: BSD-3-Clause
//
// From a linker's symbol name to a reader's, and to the one that readers had before: filters that were written for that
// go on working. The rules, in this order:
//   symbol version     memcpy@@GLIBC_2.14  → memcpy
//   Intel's clone      work.t10p           → work
//   C++                _Z3foov             → foo(); templates in full; clone suffixes stay: foo() [clone .cold]; local
//   classes of one name have
//                      numbers: main::Loc#2::m() (cxx_names.hpp)
//   Fortran's modules  __geo_MOD_area      → geo::area     (fortran_names.hpp; strip_module_names leaves area)
//   Fortran underscore work_               → work          (one)
//   contained          inner.3             → inner         (Fortran's internal procedures; module_names.hpp puts their
//   hosts before them)
// The last two hold only for names that are known to be Fortran's. The former name is without the third:
// __geo_MOD_area, and geo_mp_area of geo_mp_area_; C++ has its own without those numbers. Bytes below blank become '?':
// a name must not break the line of a table.
#pragma once

#include "symbols/symbols.hpp"

namespace vftr::symbols {

std::string clean_name(std::string_view symbol, const NameOptions& options, bool is_fortran);
// Empty where it is the same.
std::string former_name(std::string_view symbol, const NameOptions& options, bool is_fortran);

// Of gfortran: inner.3. Only the debug information tells whose it is.
bool is_internal_procedure(std::string_view symbol);

// A C++ function that other source files may see by its name. Where its symbol is local it was hidden from other
// objects, as inline functions are by -fvisibility-inlines-hidden: the linker takes from them the mark that they are
// weak. (Lambdas of a function are local to it in any case.)
bool is_hidden_cxx(std::string_view local_symbol);

// False: it is, and what is left of it without what a compiler has put behind a dot, the same for Fortran as for other
// languages.
bool may_have_fortran_decoration(std::string_view symbol);

} // namespace vftr::symbols
