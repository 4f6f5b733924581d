// SPDX-License-Identifier: BSD-3-Clause
//
// Translates the linker's names of Fortran procedures to those of the source:
//   gfortran     __geo_MOD_area                       geo::area
//                __geo.details_MOD_area               geo::details::area, in a submodule (a submodule of that one has
//                the same first part)
//   ifort, ifx   geo_mp_area_                         geo::area
//                geo@details_mp_area_                 geo::details::area
//   flang        _QMgeoParea, _QMgeoSdetailsParea     geo::area, geo::details::area
//                _QMgeoFareaPinner, _QFareaPinner     geo::area::inner, area::inner
//                _QParea, _QQmain                     area, MAIN
//   all others   MAIN__, MAIN_                        MAIN
// A type-bound procedure has the name of the procedure to which it is bound, because its symbol shows nothing else. A
// suffix that a compiler adds behind a dot (geo::area._omp_fn.0) stays. The symbol of an internal procedure of gfortran
// (inner.0) does not show its host, but the debug information does (source_lines.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vftr::symbols {

// Returns nullopt if the symbol has none of these forms. is_fortran tells whether the object contains Fortran
// (fortran_traces.hpp); the module procedures of gfortran, those of ifort that end with an underscore, and the names of
// flang are recognised without it.
enum class Modules { Shown, Stripped };
std::optional<std::string> fortran_name(std::string_view symbol, bool is_fortran, Modules modules = Modules::Shown);

// Whether a symbol can be a Fortran name: Fortran is case-insensitive, and compilers write all letters in lower case.
bool is_fortran_spelling(std::string_view name);

} // namespace vftr::symbols
