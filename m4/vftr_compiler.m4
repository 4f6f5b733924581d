# SPDX-License-Identifier: BSD-3-Clause
# VFTR_COMPILER: C++20, and the flags that every object of the project is built with. Sets MULTIARCH, the name of Debian's folder of libraries
# below /usr/lib, as x86_64-linux-gnu; empty where the compiler knows none.
AC_DEFUN([VFTR_COMPILER], [
AC_LANG_PUSH([C++])
save_CXXFLAGS=$CXXFLAGS
CXXFLAGS="$CXXFLAGS -std=c++20"
AC_MSG_CHECKING([whether $CXX compiles C++20])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <span>
#include <concepts>]], [[std::span<int> s; return (int)s.size();]])],
  [AC_MSG_RESULT([yes])], [AC_MSG_ERROR([a C++20 compiler is needed (gcc 11 or clang 14)])])
CXXFLAGS=$save_CXXFLAGS
AC_LANG_POP([C++])
AC_CHECK_FUNCS([_dl_find_object])
AC_SUBST([MULTIARCH], [`$CXX -print-multiarch 2>/dev/null || $CC -print-multiarch 2>/dev/null`])
])
