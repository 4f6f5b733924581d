/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vftrace: the public C API.
 *
 * Link with -lvftrace (pkg-config --libs vftrace). Every call here may be made from any thread, at
 * any time: before the recording has begun, while it is off or paused, and after it has ended, where
 * it does nothing. No call fails in a way that the program must handle, none changes errno, and
 * none may be called from a signal handler.
 */
#ifndef VFTRACE_H
#define VFTRACE_H

#include "vftrace_callbacks.h" /* events by callbacks, vftrace_shutdown */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Begins a region: an entry of its own in the call tree, under the function that runs now.
 *
 * name  0-terminated, any bytes; copied at its first use. NULL counts as "".
 *
 * Regions nest and may be begun several times in one function. A region that its function leaves
 * open moves on to the caller and lives until vftrace_region_end.
 */
void vftrace_region_begin(const char *name);

/*
 * Ends the innermost open region of this name on the calling thread.
 *
 * Where it is not the innermost of all open regions, the one that was meant is ended and the others
 * stay open; this, and an end without a begin, is reported once per run on stderr.
 */
void vftrace_region_end(const char *name);

/*
 * The call path of the calling thread, innermost function first, e.g. "solve<main<init".
 *
 * Returns a string that the caller frees with free(); "" when nothing is recorded (off, before the
 * first hook, after the end); NULL only when there is no memory. Costs a symbol lookup per function on the path.
 */
char *vftrace_get_stack(void);

/*
 * Stops recording on all threads until vftrace_resume; the entry "vftrace_pause" in the call tree
 * takes the time in between. Other threads stop at their next event. Pausing twice is pausing once.
 */
void vftrace_pause(void);

/* Takes recording up again after vftrace_pause; without a pause it does nothing. */
void vftrace_resume(void);

/*
 * From here on the calls of this function are not recorded, in all threads: what it calls is shown below its caller,
 * and what it still takes where it is running is its caller's time. Counts and times from before stay. vftrace_include
 * takes that back, and also records a function that the filters of the configuration leave out by its name, file or
 * module.
 *
 * function  its address, cast: (void (*)(void))solve
 *
 * It holds also where the function's library is unloaded and loaded again, wherever to, and in forked children. The
 * calling thread follows at once, others at their next call. The word of the program is stronger than the filters, but
 * for those by rank, thread and depth. A call takes microseconds, and longer the first time that a function of its
 * library is asked about; each thread then looks once at its call paths of that function.
 *
 * Returns 0; -1, and nothing has changed, where nothing is recorded (off, before the first hook, after the end), the
 * address is that of no function, the function is one of filter.triggers, or its hook calls were taken out of the
 * running text (filter.live_patching) and cannot be put back now, as the process has no descriptor left, has given up
 * its privileges, or is traced by a debugger.
 */
int vftrace_exclude(void (*function)(void));
int vftrace_include(void (*function)(void));

/*
 * Copies the recording of this process, as it is now, into a closed file that vftr report and vftr dump read: for a
 * flight recorder (sampling.keep_last) when something odd has happened.
 *
 * path  of the copy; a regular file of that name is replaced, and never half there; what is none (a link, a
 *       device), or the running recording itself, stays. Not kept.
 *
 * Other threads go on recording; of each the copy has all up to some moment during the call, which takes about as long
 * as copying the file. Returns VFTRACE_OK, VFTRACE_INVALID (path is NULL or ""), VFTRACE_OFF (nothing is recorded, or
 * not to a file) or VFTRACE_CANNOT_WRITE, which stderr tells the reason of.
 */
int vftrace_snapshot(const char *path);

#ifdef __cplusplus
}
#endif

#endif
