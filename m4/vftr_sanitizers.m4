# SPDX-License-Identifier: BSD-3-Clause
# VFTR_SANITIZERS: --enable-sanitizers=address,undefined or thread.
AC_DEFUN([VFTR_SANITIZERS], [
AC_ARG_ENABLE([sanitizers], [AS_HELP_STRING([--enable-sanitizers=LIST], [build everything with -fsanitize=LIST (address,undefined or thread)])],
  [], [enable_sanitizers=no])
SANITIZER_FLAGS=
AS_CASE([$enable_sanitizers],
  [no], [],
  [yes], [SANITIZER_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"],
  [SANITIZER_FLAGS="-fsanitize=$enable_sanitizers -fno-omit-frame-pointer"])
# A sanitized shared library leaves the sanitizer's own symbols to the program.
AS_IF([test -n "$SANITIZER_FLAGS"], [NO_UNDEFINED_FLAG=], [NO_UNDEFINED_FLAG=-Wl,--no-undefined])
AC_SUBST([NO_UNDEFINED_FLAG])
AS_IF([test -n "$SANITIZER_FLAGS"], [
  AC_LANG_PUSH([C++])
  save_CXXFLAGS=$CXXFLAGS
  # Of clang's, two need a run time for C++ that C programs do not have.
  CXXFLAGS="$save_CXXFLAGS $SANITIZER_FLAGS -fno-sanitize=function,vptr"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [SANITIZER_FLAGS="$SANITIZER_FLAGS -fno-sanitize=function,vptr"])
  CXXFLAGS="$save_CXXFLAGS $SANITIZER_FLAGS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [],
    [AC_MSG_ERROR([--enable-sanitizers=$enable_sanitizers: $CXX cannot link with $SANITIZER_FLAGS])])
  CXXFLAGS=$save_CXXFLAGS
  AC_LANG_POP([C++])])
AC_SUBST([SANITIZER_FLAGS])
AM_CONDITIONAL([SANITIZED], [test -n "$SANITIZER_FLAGS"])
AM_CONDITIONAL([THREAD_SANITIZER], [test "$enable_sanitizers" = thread])
])
