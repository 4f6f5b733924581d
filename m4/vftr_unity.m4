# SPDX-License-Identifier: BSD-3-Clause
# VFTR_UNITY: --enable-unity[=tests] (src/unity.am).
AC_DEFUN([VFTR_UNITY], [
AC_ARG_ENABLE([unity], [AS_HELP_STRING([--enable-unity@<:@=tests@:>@],
  [compile a dozen sources at a time, for builds that are made once: a third of the processor time; =tests: those of the unit tests only])],
  [], [enable_unity=no])
AS_CASE([$enable_unity], [yes | tests | no], [], [AC_MSG_ERROR([--enable-unity=$enable_unity: must be yes, tests or no])])
AM_CONDITIONAL([UNITY], [test "x$enable_unity" = xyes])
AM_CONDITIONAL([UNITY_TESTS], [test "x$enable_unity" != xno])
])
