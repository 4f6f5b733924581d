// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out from its symbol table alone whether an object contains Fortran: it names a Fortran source file, or it
// defines or uses a function of a Fortran runtime. Only in such objects is the underscore at the end of `work_` one
// that the compiler has added; in a C program it is part of the name. A C function `work_` in an object that also
// contains Fortran is taken for a Fortran procedure, unless it is static in a C file, because C functions get such
// names to be callable from Fortran. If the object also has a function `work`, `work_` keeps its underscore.
#pragma once

#include <string_view>

namespace vftr::symbols {

bool is_fortran_source(std::string_view file_name); // decides by the suffix: .f90, .F, .for, …
// Whether it belongs to gfortran, ifort/ifx, flang or nvfortran, or is a module of gfortran or flang.
bool is_fortran_runtime(std::string_view symbol);

} // namespace vftr::symbols
