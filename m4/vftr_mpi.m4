# SPDX-License-Identifier: BSD-3-Clause
# VFTR_MPI: --with-mpi[=DIR]. Sets MPI_CPPFLAGS, MPICC, MPI_SONAMES and the conditional HAVE_MPI. The library itself never links MPI.
AC_DEFUN([VFTR_MPI], [
AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi@<:@=DIR@:>@], [MPI wrappers; DIR has bin/mpicc (default: mpicc in PATH, if there)])],
  [], [with_mpi=auto])
AS_CASE([$with_mpi],
  [no], [MPICC=],
  [yes|auto], [AC_PATH_PROG([MPICC], [mpicc])],
  [AC_PATH_PROG([MPICC], [mpicc], [], [$with_mpi/bin])])
AS_IF([test -z "$MPICC" && test "x$with_mpi" != xno && test "x$with_mpi" != xauto],
  [AC_MSG_ERROR([--with-mpi=$with_mpi: no mpicc found])])
MPI_CPPFLAGS=
AS_IF([test -n "$MPICC"], [
  for flag in `$MPICC -show 2>/dev/null || $MPICC --showme`; do
    AS_CASE([$flag], [-I*], [MPI_CPPFLAGS="$MPI_CPPFLAGS $flag"])
  done])
# By these names the MPI libraries are loaded where a linker has left them out of a program.
MPI_SONAMES=
AS_IF([test -n "$MPICC"], [
  AC_MSG_CHECKING([for the names of the MPI libraries])
  echo 'int main(void) { return 0; }' >conftest.c
  AS_IF([$MPICC conftest.c -o conftest -Wl,--no-as-needed >&AS_MESSAGE_LOG_FD 2>&1],
    [MPI_SONAMES=`readelf -d conftest | sed -n '/NEEDED/s/.*\@<:@\(lib.*mpi.*\)\@:>@.*/\1/p' | tr '\n' ' '`])
  rm -f conftest conftest.c
  AC_MSG_RESULT([$MPI_SONAMES])
])
AC_SUBST([MPI_SONAMES])
AC_SUBST([MPI_CPPFLAGS])
AC_SUBST([MPICC])
AM_CONDITIONAL([HAVE_MPI], [test -n "$MPICC"])
AS_IF([test -n "$MPICC"], [AC_DEFINE([HAVE_MPI], [1], [MPI wrappers are built])])
])
