// SPDX-License-Identifier: BSD-3-Clause
//
// What a Fortran programmer calls a procedure, from what the compiler calls it for the linker:
//   gfortran     __geo_MOD_area                       geo::area
//                __geo.details_MOD_area               geo::details::area, in a submodule (a submodule of that one has
//                the same first part)
//   ifort, ifx   geo_mp_area_                         geo::area
//                geo@details_mp_area_                 geo::details::area
//   flang        _QMgeoParea, _QMgeoSdetailsParea     geo::area, geo::details::area
//                _QMgeoFareaPinner, _QFareaPinner     geo::area::inner, area::inner
//                _QParea, _QQmain                     area, MAIN
//   all others   MAIN__, MAIN_                        MAIN
// A type-bound procedure has the name of what it is bound to, as that is all that its compiler tells. What a compiler
// puts behind a dot (geo::area._omp_fn.0) stays. An internal procedure of gfortran (inner.0) has no trace of its host:
// the debug information has (source_lines.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vftr::symbols {

// nullopt: it is none of these. is_fortran: what the object tells (fortran_traces.hpp); gfortran's modules, ifort's
// with an underscore behind them and flang's names tell themselves.
enum class Modules { Shown, Stripped };
std::optional<std::string> fortran_name(std::string_view symbol, bool is_fortran, Modules modules = Modules::Shown);

// Fortran has no case: compilers write every letter in lower case.
bool is_fortran_spelling(std::string_view name);

} // namespace vftr::symbols
