# SPDX-License-Identifier: BSD-3-Clause
# VFTR_OMPT: --with-ompt[=DIR]. Sets have_ompt, and OMP_TOOLS_H in config.h.
#
# OpenMP runtimes tell of themselves by OMPT; its header comes with LLVM's compiler, in a folder that only that compiler looks into.
# Nothing else of it is used: the runtime comes to us, by the name of a function of ours.
AC_DEFUN([VFTR_OMPT], [
AC_ARG_WITH([ompt], [AS_HELP_STRING([--with-ompt=DIR], [record OpenMP by OMPT; omp-tools.h is in DIR (default: searched; no: leave it out)])],
  [], [with_ompt=auto])
AC_MSG_CHECKING([for omp-tools.h])
have_ompt=no
AS_CASE([$with_ompt],
  [no], [],
  [yes|auto], [vftr_ompt_folders="`clang -print-resource-dir 2>/dev/null`/include
`ls -d /usr/lib/llvm-*/lib/clang/*/include /usr/lib/clang/*/include /usr/lib64/clang/*/include 2>/dev/null | sort -Vr`
/usr/local/include /usr/include"],
  [vftr_ompt_folders=$with_ompt])
AS_IF([test "x$with_ompt" != xno], [
  AC_LANG_PUSH([C++])
  for folder in $vftr_ompt_folders; do
    test -f $folder/omp-tools.h || continue
    dnl Not by -I: the folder has the compiler's own headers, too.
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <cstddef>
#include "$folder/omp-tools.h"
      ]], [[ompt_start_tool_result_t result{}; return result.initialize != nullptr && ompt_callback_masked != 0;]])],
      [have_ompt=$folder/omp-tools.h; break])
  done
  AC_LANG_POP([C++])
  AS_IF([test "x$have_ompt" = xno && test "x$with_ompt" != xauto],
    [AC_MSG_ERROR([--with-ompt=$with_ompt: there is no omp-tools.h that compiles])])])
AC_MSG_RESULT([$have_ompt])
AS_IF([test "x$have_ompt" != xno], [AC_DEFINE_UNQUOTED([OMP_TOOLS_H], ["$have_ompt"], [OMPT's header.])])
AM_CONDITIONAL([HAVE_OMPT], [test "x$have_ompt" != xno])])
