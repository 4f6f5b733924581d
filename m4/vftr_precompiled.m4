# SPDX-License-Identifier: BSD-3-Clause
# VFTR_PRECOMPILED: --enable-precompiled-headers (src/precompiled.am).
AC_DEFUN([VFTR_PRECOMPILED], [
AC_ARG_ENABLE([precompiled-headers], [AS_HELP_STRING([--enable-precompiled-headers],
  [read the system's headers once for all sources: builds in two thirds of the time])],
  [], [enable_precompiled_headers=no])
AM_CONDITIONAL([PRECOMPILED_HEADERS], [test "x$enable_precompiled_headers" = xyes])
# gcc 12 then no longer knows them for headers of the system, and warns of bounds in std::string that are kept. clang knows no such warnings.
AC_LANG_PUSH([C++])
save_CXXFLAGS=$CXXFLAGS
PRECOMPILED_WARNINGS="-Wno-array-bounds -Wno-stringop-overflow"
CXXFLAGS="$CXXFLAGS -Werror $PRECOMPILED_WARNINGS"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [], [PRECOMPILED_WARNINGS=])
CXXFLAGS=$save_CXXFLAGS
AC_LANG_POP([C++])
AC_SUBST([PRECOMPILED_WARNINGS])
])
