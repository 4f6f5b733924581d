# SPDX-License-Identifier: BSD-3-Clause
# VFTR_LIBRARIES: the libraries we stand on, and what the two kinds of libvftrace carry of them.
#   CJSON_A                  a static cJSON to carry inside libvftrace.a, if there is one (Debian ships none)
#   LIBSTDCXX_A, LIBGCC_…_A  the compiler's own run time, carried inside libvftrace.a
#   STATIC_LIBS              what a program needs beside libvftrace.a, and for static ones the table of their functions (src/patch/extent.hpp)
AC_DEFUN([VFTR_LIBRARIES], [
PKG_CHECK_MODULES([CJSON], [libcjson])
# cJSON is referred to weakly (src/config/json_document.hpp): --as-needed would take it for not needed, and a weak
# reference takes nothing out of an archive.
CJSON_LIBS="-Wl,--push-state,--no-as-needed $CJSON_LIBS -Wl,--pop-state"
PKG_CHECK_MODULES([ELF], [libelf])
PKG_CHECK_MODULES([PCRE2], [libpcre2-8])
# Its headers only: it is loaded when a line of source is asked for (src/symbols/source_lines.hpp).
AC_ARG_WITH([libdw], [AS_HELP_STRING([--without-libdw], [do not know files and lines of source])], [], [with_libdw=auto])
have_libdw=no
AS_IF([test "x$with_libdw" != xno], [PKG_CHECK_MODULES([DW], [libdw], [have_libdw=yes
  AC_DEFINE([HAVE_LIBDW], [1], [Define to 1 if the headers of libdw are there.])],
  [AS_IF([test "x$with_libdw" = xyes], [AC_MSG_ERROR([--with-libdw: there is no libdw])])])])
# Likewise, when segments of events are to be packed or read (src/vfd/zstd.hpp).
AC_ARG_WITH([zstd], [AS_HELP_STRING([--without-zstd], [do not compress timelines, and do not read compressed ones])], [], [with_zstd=auto])
have_zstd=no
AS_IF([test "x$with_zstd" != xno], [PKG_CHECK_MODULES([ZSTD], [libzstd >= 1.4], [have_zstd=yes
  AC_DEFINE([HAVE_ZSTD], [1], [Define to 1 if the headers of libzstd are there.])],
  [AS_IF([test "x$with_zstd" = xyes], [AC_MSG_ERROR([--with-zstd: there is no libzstd])])])])
# Headers only, for the formats of vftr export that are JSON.
PKG_CHECK_MODULES([RAPIDJSON], [RapidJSON], [have_rapidjson=yes
  AC_DEFINE([HAVE_RAPIDJSON], [1], [Define to 1 if RapidJSON is there.])], [have_rapidjson=no])
AM_CONDITIONAL([HAVE_RAPIDJSON], [test "x$have_rapidjson" = xyes])
# Likewise, for those that are protocol buffers. It has no file of pkg-config.
AC_LANG_PUSH([C++])
AC_CHECK_HEADER([protozero/pbf_builder.hpp], [have_protozero=yes
  AC_DEFINE([HAVE_PROTOZERO], [1], [Define to 1 if protozero is there.])], [have_protozero=no])
AC_LANG_POP([C++])
AM_CONDITIONAL([HAVE_PROTOZERO], [test "x$have_protozero" = xyes])
# Headers only, for vftr diff.
AC_LANG_PUSH([C++])
AC_CHECK_HEADER([boost/math/distributions/students_t.hpp], [have_boost_math=yes
  AC_DEFINE([HAVE_BOOST_MATH], [1], [Define to 1 if Boost.Math is there.])], [have_boost_math=no])
AC_LANG_POP([C++])
AM_CONDITIONAL([HAVE_BOOST_MATH], [test "x$have_boost_math" = xyes])
# For a format of vftr export. Debian has no otf2-config, so the library is linked by its name.
AC_MSG_CHECKING([for OTF2 3])
have_otf2=no OTF2_LIBS= vftr_libs=$LIBS
LIBS="-lopen-trace-format2 $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <otf2/otf2.h>]],
    [[return OTF2_EvtWriter_NonBlockingCollectiveRequest(NULL, NULL, 0, 0) == OTF2_SUCCESS;]])],
  [have_otf2=yes OTF2_LIBS=-lopen-trace-format2
   AC_DEFINE([HAVE_OTF2], [1], [Define to 1 if OTF2 3 is there.])])
LIBS=$vftr_libs
AC_MSG_RESULT([$have_otf2])
AC_SUBST([OTF2_LIBS])
AM_CONDITIONAL([HAVE_OTF2], [test "x$have_otf2" = xyes])
# For those that are compressed.
PKG_CHECK_MODULES([ZLIB], [zlib], [have_zlib=yes
  AC_DEFINE([HAVE_ZLIB], [1], [Define to 1 if zlib is there.])], [have_zlib=no])
AM_CONDITIONAL([HAVE_ZLIB], [test "x$have_zlib" = xyes])
# The page of vftr html: esbuild bundles it, and a release archive has the result.
AC_ARG_WITH([html], [AS_HELP_STRING([--without-html], [leave out vftr html, for which esbuild is needed where the sources are not a release archive])], [], [with_html=auto])
AC_CHECK_PROG([ESBUILD], [esbuild], [esbuild])
have_html=no
AS_IF([test "x$with_html" != xno],
  [AS_IF([test "x$have_rapidjson$have_zlib" = xyesyes && { test -n "$ESBUILD" || test -f "$srcdir/src/export/html/page_before_data.inc"; }],
    [have_html=yes
     AC_DEFINE([HAVE_HTML], [1], [Define to 1 if vftr html is built.])],
    [AS_IF([test "x$with_html" = xyes], [AC_MSG_ERROR([--with-html needs RapidJSON, zlib and esbuild])])])])
AM_CONDITIONAL([HAVE_HTML], [test "x$have_html" = xyes])
# For vftr tui.
AC_ARG_WITH([tui], [AS_HELP_STRING([--without-tui], [leave out vftr tui, for which ncurses is needed])], [], [with_tui=auto])
have_ncursesw=no
AS_IF([test "x$with_tui" != xno], [PKG_CHECK_MODULES([NCURSESW], [ncursesw], [have_ncursesw=yes
  AC_DEFINE([HAVE_NCURSESW], [1], [Define to 1 if ncurses for wide characters is there.])],
  [AS_IF([test "x$with_tui" = xyes], [AC_MSG_ERROR([--with-tui: there is no ncursesw])])])])
AM_CONDITIONAL([HAVE_NCURSESW], [test "x$have_ncursesw" = xyes])
PKG_CHECK_MODULES([CATCH2], [catch2], [have_catch2=yes], [have_catch2=no])
AM_CONDITIONAL([HAVE_CATCH2], [test "x$have_catch2" = xyes])
# Only the unit tests want it, to compare our decoder of instructions with it (src/patch/instruction.hpp).
AC_MSG_CHECKING([for Zydis 4])
have_zydis=no ZYDIS_LIBS= vftr_libs=$LIBS
LIBS="-lZydis $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <Zydis/Zydis.h>]],
    [[ZydisDecoder decoder; return !ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));]])],
  [have_zydis=yes ZYDIS_LIBS=-lZydis
   AC_DEFINE([HAVE_ZYDIS], [1], [Define to 1 if Zydis 4 is there.])])
LIBS=$vftr_libs
AC_MSG_RESULT([$have_zydis])
AC_SUBST([ZYDIS_LIBS])

AC_ARG_WITH([static-cjson], [AS_HELP_STRING([--with-static-cjson=FILE], [libcjson.a to carry inside libvftrace.a (default: searched)])],
  [], [with_static_cjson=auto])
AC_MSG_CHECKING([for a static cJSON])
CJSON_A=
AS_CASE([$with_static_cjson],
  [no], [],
  [yes|auto], [
    CJSON_A=`$CC -print-file-name=libcjson.a`
    test -f "$CJSON_A" || CJSON_A=`$PKG_CONFIG --variable=libdir libcjson`/libcjson.a
    test -f "$CJSON_A" || CJSON_A=],
  [CJSON_A=$with_static_cjson])
AS_IF([test -n "$CJSON_A" && test ! -f "$CJSON_A" || test "x$with_static_cjson$CJSON_A" = xyes],
  [AC_MSG_ERROR([--with-static-cjson=$with_static_cjson: no such file])])
AC_MSG_RESULT([${CJSON_A:-no: statically linked programs run with the default configuration}])
AS_IF([test -n "$CJSON_A"], [CJSON_A="-u cJSON_ParseWithLengthOpts -u cJSON_Delete $CJSON_A"])
AC_SUBST([CJSON_A])

AC_SUBST([LIBSTDCXX_A], [`$CXX -print-file-name=libstdc++.a`])
AC_SUBST([LIBGCC_EH_A], [`$CXX -print-file-name=libgcc_eh.a`])
AC_SUBST([LIBGCC_A], [`$CXX -print-file-name=libgcc.a`])
for file in "$LIBSTDCXX_A" "$LIBGCC_EH_A" "$LIBGCC_A"; do
  AS_IF([test ! -f "$file"], [AC_MSG_ERROR([$CXX has no $file: libvftrace carries its own copy])])
done
STATIC_LIBS="`$PKG_CONFIG --static --libs libelf libpcre2-8` -lpthread -ldl -lm -Wl,--eh-frame-hdr"
AC_SUBST([STATIC_LIBS])
])
