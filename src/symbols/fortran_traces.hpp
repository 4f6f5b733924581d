// SPDX-License-Identifier: BSD-3-Clause
//
// How to tell that an object holds Fortran, from its symbol table alone: it names a Fortran source
// file, or it has or uses a function of a Fortran runtime. Only there is the underscore at the end
// of `work_` the compiler's; in a C program it is part of the name. A C function `work_` in an
// object that also holds Fortran is taken for Fortran's unless it is static in a C file: C
// functions get such names to be called from Fortran. Where the object also has a function `work`,
// `work_` keeps its underscore.
#pragma once

#include <string_view>

namespace vftr::symbols {

bool is_fortran_source(std::string_view file_name); // by its suffix: .f90, .F, .for, …
bool is_fortran_runtime(
    std::string_view symbol); // of gfortran, ifort/ifx, flang, nvfortran; a module of gfortran or flang

} // namespace vftr::symbols
