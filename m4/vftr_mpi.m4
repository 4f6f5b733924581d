# SPDX-License-Identifier: BSD-3-Clause
# VFTR_MPI: --with-mpi[=DIR|PROGRAM|NAME]. Sets MPI_CPPFLAGS, MPICC, MPIFORT, MPIRUN, MPI_LIBRARIES (the files), MPI_SONAMES (the names
# that programs have of them) and the conditional HAVE_MPI. The library itself never links MPI. Installations for several MPI libraries have a prefix
# each, and by --with-module-name, which sets MODULE_NAME, a name each for environment modules. MPI_ENDING is that of mpicc, as ".mpich"; empty: it has none.
AC_DEFUN([VFTR_MPI], [
AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi@<:@=WHICH@:>@],
  [MPI wrappers; WHICH is a folder with bin/mpicc, the path of an mpicc, or a name: openmpi for mpicc.openmpi (default: mpicc in PATH, if there)])],
  [], [with_mpi=auto])
AS_CASE([$with_mpi], [yes|auto], [], [MPICC=]) # what was asked for goes before the environment
AS_CASE([$with_mpi],
  [no], [],
  [yes|auto], [AC_PATH_PROG([MPICC], [mpicc])],
  [*/*], [AS_IF([test -d "$with_mpi"], [AC_PATH_PROG([MPICC], [mpicc], [], [$with_mpi/bin])],
    [test -x "$with_mpi"], [MPICC=$with_mpi])],
  [AC_PATH_PROG([MPICC], [mpicc.$with_mpi])])
AS_IF([test -z "$MPICC" && test "x$with_mpi" != xno && test "x$with_mpi" != xauto],
  [AC_MSG_ERROR([--with-mpi=$with_mpi: no mpicc found])])

# What belongs to that mpicc stands beside it and has the same ending.
MPIFORT= MPIRUN=
AS_IF([test -n "$MPICC"], [
  vftr_mpi_bin=`AS_DIRNAME(["$MPICC"])`
  AS_CASE([`basename "$MPICC"`], [mpicc*], [vftr_mpi_ending=`basename "$MPICC" | sed 's/^mpicc//'`], [vftr_mpi_ending=])
  AS_IF([test "x$enable_fortran" != xno && test -n "$FC"],
    [AC_PATH_PROGS([MPIFORT], [mpifort$vftr_mpi_ending mpif90$vftr_mpi_ending], [], [$vftr_mpi_bin])])
  AC_PATH_PROGS([MPIRUN], [mpirun$vftr_mpi_ending mpiexec$vftr_mpi_ending], [], [$vftr_mpi_bin])
])

MPI_CPPFLAGS=
AS_IF([test -n "$MPICC"], [
  for flag in `$MPICC -show 2>/dev/null || $MPICC --showme`; do
    AS_CASE([$flag], [-I*], [MPI_CPPFLAGS="$MPI_CPPFLAGS $flag"])
  done])

# The linker says which files it takes. By their names in a program they are loaded where a linker has left them out of one.
MPI_SONAMES= MPI_LIBRARIES=
AS_IF([test -n "$MPICC"], [
  AC_MSG_CHECKING([for the MPI libraries])
  AS_IF([test -n "$MPIFORT"],
    [printf '%s\n' '      program main' '      call mpi_init(i)' '      end' >conftest.f
     vftr_link="$MPIFORT conftest.f"],
    [echo 'int MPI_Initialized(int *); int main(void) { int i; return MPI_Initialized(&i); }' >conftest.c
     vftr_link="$MPICC conftest.c"])
  AS_IF([$vftr_link -o conftest -Wl,--no-as-needed -Wl,-t >conftest.files 2>&AS_MESSAGE_LOG_FD], [
    MPI_SONAMES=`readelf -d conftest | sed -n '/NEEDED/s/.*\@<:@\(lib.*mpi.*\)\@:>@.*/\1/p' | tr '\n' ' '`
    MPI_LIBRARIES=`sed -n 's/^(*\(@<:@^ ()@:>@*\/lib@<:@^ ()\/@:>@*mpi@<:@^ ()\/@:>@*\.\(so\|a\)@<:@.0-9@:>@*\).*/\1/p' conftest.files | awk '!seen@<:@@S|@0@:>@++' | tr '\n' ' '`])
  rm -f conftest conftest.c conftest.f conftest.o conftest.files
  AC_MSG_RESULT([$MPI_LIBRARIES])
])
AC_ARG_WITH([module-name], [AS_HELP_STRING([--with-module-name=NAME], [name of the file for environment modules (default: the version)])],
  [], [with_module_name=$PACKAGE_VERSION])
AS_CASE([$with_module_name], [yes|no|*[[!A-Za-z0-9._+-]]*], [AC_MSG_ERROR([--with-module-name=$with_module_name: a name has letters, digits and . _ + - only])])
AC_SUBST([MODULE_NAME], [$with_module_name])
AC_SUBST([MPI_ENDING], [$vftr_mpi_ending])
AC_SUBST([MPI_SONAMES])
AC_SUBST([MPI_LIBRARIES])
AC_SUBST([MPI_CPPFLAGS])
AC_SUBST([MPICC])
AC_SUBST([MPIFORT])
AC_SUBST([MPIRUN])
AM_CONDITIONAL([HAVE_MPI], [test -n "$MPICC"])
AS_IF([test -n "$MPICC"], [AC_DEFINE([HAVE_MPI], [1], [MPI wrappers are built])])
])
