# SPDX-License-Identifier: BSD-3-Clause
# VFTR_PLUGINS: the plugins of compilers, --without-gcc-plugin and --without-clang-plugin.
#
# That of gcc is for one version of gcc, the one of this machine that compiles programs: $CXX where that is gcc, else g++. Its headers come with gcc-N-plugin-dev.
AC_DEFUN([VFTR_PLUGINS], [
VFTR_GCC_PLUGIN
VFTR_CLANG_PLUGIN])

# Sets GCC_PLUGIN_INCLUDE, the folder of the headers of gcc itself, and HAVE_GCC_PLUGIN.
AC_DEFUN([VFTR_GCC_PLUGIN], [
AC_ARG_WITH([gcc-plugin], [AS_HELP_STRING([--without-gcc-plugin], [no plugin for gcc, which decides which functions get hooks (default: where gcc's headers for plugins are)])],
  [], [with_gcc_plugin=auto])
AC_MSG_CHECKING([for gcc's headers for plugins])
have_gcc_plugin=no
vftr_gcc=g++
AS_CASE([`$CXX --version 2>/dev/null`], [*clang*], [], [*Free\ Software\ Foundation*], [vftr_gcc=$CXX])
AS_IF([test "x$with_gcc_plugin" = xno], [],
  [test -n "$SANITIZER_FLAGS" || test "x$cross_compiling" = xyes], [],
  [
  GCC_PLUGIN_INCLUDE=`$vftr_gcc -print-file-name=plugin 2>/dev/null`/include
  AC_LANG_PUSH([C++])
  save_CXXFLAGS=$CXXFLAGS
  CXXFLAGS="$CXXFLAGS -std=c++20 -fno-rtti -isystem $GCC_PLUGIN_INCLUDE"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <string>
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree-pass.h"
    ]], [[return gcc_version.basever != nullptr;]])], [have_gcc_plugin=yes])
  CXXFLAGS=$save_CXXFLAGS
  AC_LANG_POP([C++])])
AC_MSG_RESULT([$have_gcc_plugin])
AS_IF([test "x$have_gcc_plugin" = xno && test "x$with_gcc_plugin" = xyes],
  [AC_MSG_ERROR([--with-gcc-plugin: install gcc-N-plugin-dev for the version of $vftr_gcc])])
AC_SUBST([GCC_PLUGIN_INCLUDE])
dnl Compilers of other languages say the same but for their name.
AS_IF([test "x$have_gcc_plugin" = xyes], [vftr_gcc_version=`LC_ALL=C $vftr_gcc --version | sed 1q`], [vftr_gcc_version=])
AC_DEFINE_UNQUOTED([GCC_PLUGIN_VERSION], ["$vftr_gcc_version"], [The first line of --version of the gcc for which the plugin is; empty: there is none.])
AM_CONDITIONAL([HAVE_GCC_PLUGIN], [test "x$have_gcc_plugin" = xyes])])

# Sets CLANG_PLUGIN_CPPFLAGS and HAVE_CLANG_PLUGIN.
AC_DEFUN([VFTR_CLANG_PLUGIN], [
AC_ARG_WITH([clang-plugin], [AS_HELP_STRING([--without-clang-plugin], [no pass plugin for clang (default: where LLVM's headers of the version of clang are)])],
  [], [with_clang_plugin=auto])
AC_MSG_CHECKING([for LLVM's headers of clang's version])
have_clang_plugin=no
vftr_clang_version=`clang --version 2>/dev/null | sed 1q`
vftr_llvm=`printf '%s\n' "$vftr_clang_version" | sed -n 's/.*version \(@<:@0-9@:>@*\)[.].*/\1/p'`
vftr_llvm_config=
for name in llvm-config-$vftr_llvm llvm-config; do
  AS_CASE([`$name --version 2>/dev/null`], [$vftr_llvm.*], [test -z "$vftr_llvm" || vftr_llvm_config=$name; break])
done
AS_IF([test "x$with_clang_plugin" = xno || test -z "$vftr_llvm_config"], [],
  [test -n "$SANITIZER_FLAGS" || test "x$cross_compiling" = xyes], [],
  [
  CLANG_PLUGIN_CPPFLAGS="-isystem `$vftr_llvm_config --includedir` -D__STDC_CONSTANT_MACROS -D__STDC_LIMIT_MACROS"
  AC_LANG_PUSH([C++])
  save_CXXFLAGS=$CXXFLAGS
  CXXFLAGS="$CXXFLAGS -std=c++20 -fno-rtti $CLANG_PLUGIN_CPPFLAGS"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <llvm/Passes/PassPlugin.h>
    ]], [[return LLVM_PLUGIN_API_VERSION != 1;]])], [have_clang_plugin=yes])
  CXXFLAGS=$save_CXXFLAGS
  AC_LANG_POP([C++])])
AC_MSG_RESULT([$have_clang_plugin])
AS_IF([test "x$have_clang_plugin" = xno && test "x$with_clang_plugin" = xyes],
  [AC_MSG_ERROR([--with-clang-plugin: install llvm-N-dev for the version of clang])])
AC_SUBST([CLANG_PLUGIN_CPPFLAGS])
AS_IF([test "x$have_clang_plugin" = xno], [vftr_clang_version=])
AC_DEFINE_UNQUOTED([CLANG_PLUGIN_VERSION], ["$vftr_clang_version"], [The first line of --version of the clang for which the pass plugin is; empty: there is none.])
AM_CONDITIONAL([HAVE_CLANG_PLUGIN], [test "x$have_clang_plugin" = xyes])])
