/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions as macros that compile to nothing where vftrace is not there. C99 and C++, gcc and clang.
 *
 *   VFTRACE_REGION("assembly");         a region from here to the end of the block
 *   VFTRACE_FUNCTION();                 the same, named as the function: for code that is not instrumented
 *   VFTRACE_REGION_BEGIN("assembly");   a region up to VFTRACE_REGION_END("assembly"), as the functions in vftrace.h
 *   VFTRACE_PAUSE(); VFTRACE_RESUME();
 *
 * A project may keep a copy of this file (and of vftrace.hpp) in its own tree: it needs vftrace neither to compile nor
 * to link then. vftrace is there, and VFTRACE_AVAILABLE is 1, where the compiler finds <vftrace.h> and VFTRACE_DISABLE
 * is not defined; then -lvftrace belongs to the link. Else the macros leave no code, no data and no symbol behind, and
 * do not evaluate the name, while it counts as used: no warning comes or goes with vftrace.
 *
 * A name is a const char * that stays until the region ends, and is evaluated once. A region ends as the block is left:
 * by its end, return, break, goto, in C++ also by an exception (in C only with -fexceptions). One VFTRACE_REGION a
 * line.
 */
#ifndef VFTRACE_MACROS_H
#define VFTRACE_MACROS_H

#define VFTRACE_AVAILABLE 0
#if !defined(VFTRACE_DISABLE) && defined(__GNUC__) && defined(__has_include)
#if __has_include(<vftrace.h>)
#undef VFTRACE_AVAILABLE
#define VFTRACE_AVAILABLE 1
#endif
#endif

#define VFTRACE_JOINED_(a, b) a##b
#define VFTRACE_JOIN_(a, b) VFTRACE_JOINED_(a, b)

#if VFTRACE_AVAILABLE

#include <vftrace.h>

/* Not in the profile themselves: inlined at every optimisation level, and without hooks. */
#define VFTRACE_UNSEEN_ inline __attribute__((always_inline, no_instrument_function, unused))

static VFTRACE_UNSEEN_ const char *vftrace_begin_scope_(const char *name)
{
    vftrace_region_begin(name);
    return name;
}

static VFTRACE_UNSEEN_ void vftrace_end_scope_(const char **name) { vftrace_region_end(*name); }

#define VFTRACE_SCOPE_(variable, name)                                                                                 \
    __attribute__((cleanup(vftrace_end_scope_), unused)) const char *variable = vftrace_begin_scope_(name)
#define VFTRACE_REGION(name) VFTRACE_SCOPE_(VFTRACE_JOIN_(vftrace_region_, __LINE__), name)
#define VFTRACE_FUNCTION() VFTRACE_SCOPE_(VFTRACE_JOIN_(vftrace_function_, __LINE__), __func__)
#define VFTRACE_REGION_BEGIN(name) vftrace_region_begin(name)
#define VFTRACE_REGION_END(name) vftrace_region_end(name)
#define VFTRACE_PAUSE() vftrace_pause()
#define VFTRACE_RESUME() vftrace_resume()

#else

/* A declaration, too: where the macro may not stand with vftrace, it may not stand without. */
#define VFTRACE_REGION(name) enum { VFTRACE_JOIN_(vftrace_region_, __LINE__) = sizeof(name) != 0 }
#define VFTRACE_FUNCTION() enum { VFTRACE_JOIN_(vftrace_function_, __LINE__) }
#define VFTRACE_REGION_BEGIN(name) ((void)sizeof(name))
#define VFTRACE_REGION_END(name) ((void)sizeof(name))
#define VFTRACE_PAUSE() ((void)0)
#define VFTRACE_RESUME() ((void)0)

#endif

#endif
