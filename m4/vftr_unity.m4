# SPDX-License-Identifier: BSD-3-Clause
# VFTR_UNITY: --enable-unity[=command|tests] (src/unity.am).
AC_DEFUN([VFTR_UNITY], [
AC_ARG_ENABLE([unity], [AS_HELP_STRING([--enable-unity@<:@=command|tests@:>@],
  [compile a dozen sources at a time, for builds that are made once: a third of the processor time; =tests: those of the unit tests only; =command: these and those of the command vftr])],
  [], [enable_unity=no])
AS_CASE([$enable_unity], [yes | command | tests | no], [], [AC_MSG_ERROR([--enable-unity=$enable_unity: must be yes, command, tests or no])])
AM_CONDITIONAL([UNITY], [test "x$enable_unity" = xyes])
AM_CONDITIONAL([UNITY_COMMAND], [test "x$enable_unity" = xyes || test "x$enable_unity" = xcommand])
AM_CONDITIONAL([UNITY_TESTS], [test "x$enable_unity" != xno])
])
