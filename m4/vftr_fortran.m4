# SPDX-License-Identifier: BSD-3-Clause
# VFTR_FORTRAN: the Fortran module, unless --disable-fortran or no compiler.
AC_DEFUN([VFTR_FORTRAN], [
AC_ARG_ENABLE([fortran], [AS_HELP_STRING([--disable-fortran], [leave out the Fortran module and the Fortran MPI wrappers])])
AS_IF([test "x$enable_fortran" != xno], [AC_PROG_FC])
AS_IF([test "x$enable_fortran" = xyes && test -z "$FC"], [AC_MSG_ERROR([--enable-fortran: no Fortran compiler found])])
AM_CONDITIONAL([HAVE_FORTRAN], [test "x$enable_fortran" != xno && test -n "$FC"])
])
