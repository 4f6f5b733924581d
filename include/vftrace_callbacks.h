/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vftrace: events as they happen, for programs that want them inside themselves, and no files. vftrace.h includes this.
 *
 * A program (a profiler, a monitor, a test) fills in a struct vftrace_callbacks with the functions that it wants to be
 * called and gives it to vftrace_set_callbacks. Where that is done before an instrumented function has returned, the
 * process is embedded: no recording, log, symbol store or temporary file is ever written for it or its forked children,
 * also if the callbacks are cleared later. With VFTRACE_WITH_FILES the files are written too. Once recording to files
 * has begun, callbacks come in addition and the files stay: the choice is made once.
 *
 * Threads. A callback runs on the thread that the event is of, between the program's instructions; callbacks run on all
 * threads at the same time. One that blocks delays its own thread alone. What it returns to is the program: it must
 * return. longjmp out of a callback is not allowed; pthread_exit and cancellation are. A C++ exception that leaves it
 * ends there: it is counted, and reported once on stderr.
 *
 * Inside a callback. Instrumented functions that it calls, regions that it begins and MPI calls that it makes are not
 * recorded and not delivered. It may call every function of this header and of vftrace.h. It may be called in a signal
 * handler of the program, and in the middle of an allocation where the allocator is instrumented itself; so a callback
 * that allocates or locks needs care there.
 *
 * Memory. An event is valid until the callback returns. Names of functions, regions, MPI calls and modules are valid as
 * long as the process (they are made once): they can be kept, and the same function's name has the same address as long
 * as its object stays loaded.
 *
 * Times are CLOCK_MONOTONIC in nanoseconds, converted from the processor's counter: right to within about a microsecond
 * of clock_gettime, and never running backwards among the calls of one thread.
 *
 * Growing. Every struct begins with its size; members are only ever added at its end. A member of an event may be read
 * where offsetof(member) < event->size.
 */
#ifndef VFTRACE_CALLBACKS_H
#define VFTRACE_CALLBACKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VFTRACE_CALLBACKS_VERSION 1

/* What the functions below return: negative where nothing was done. */
enum vftrace_status {
    VFTRACE_OK = 0,
    VFTRACE_FILES_TOO = 1, /* done; files are written as well, since recording to files had begun */
    VFTRACE_PENDING = 2,   /* done, by a callback: calls that are under way, this one first, have still to end */
    VFTRACE_INVALID = -1,  /* the struct is none of a known version, or asks for what is not known */
    VFTRACE_NO_MEMORY = -2,
    VFTRACE_ENDED = -3,       /* nothing is delivered any more: after vftrace_shutdown */
    VFTRACE_OFF = -4,         /* nothing is recorded in this process: VFTR_OFF, "off", or the start failed */
    VFTRACE_CANNOT_WRITE = -5 /* a file could not be written */
};

/* vftrace_callbacks.flags */
enum vftrace_options {
    VFTRACE_WITH_FILES = 1 /* recordings and logs as of a program that does not embed, and callbacks */
};

/* What was entered or left. */
enum vftrace_kind {
    VFTRACE_FUNCTION = 1, /* an instrumented function */
    VFTRACE_REGION = 2,   /* vftrace_region_begin */
    VFTRACE_MPI_CALL = 3,
    VFTRACE_OPENMP = 4 /* a construct; address: where it returns to in the program */
};

/* vftrace_call_event.flags, vftrace_thread_event.flags */
enum vftrace_event_flags {
    /* left without returning: longjmp, exception, end of the thread; the time is when that was noticed */
    VFTRACE_VANISHED = 1,
    VFTRACE_MOVED = 2,  /* a region that outlives the function it stands in: left there, and entered under its caller */
    VFTRACE_PAUSED = 4, /* left while recording is paused */
    VFTRACE_RUNNING = 8 /* thread_started: it was there before the callbacks were set */
};

#define VFTRACE_NO_THREAD UINT32_MAX

/* Function or region, entered or left. */
struct vftrace_call_event {
    size_t size;
    uint64_t time_ns;
    uint64_t path;       /* the call path: the same number each time on this thread; vftrace_path_text gives its text */
    const void *address; /* of the function, as the hooks of the compiler give it; NULL for a region or MPI call */
    const char *name;    /* as in the tables; "module+0xoffset" where it has none; NULL where it cannot be looked up:
                            in the allocator, or in a signal handler within that */
    uint32_t thread;     /* from 0, in the order of their first events; a number of an ended thread may be used again */
    uint32_t tid;        /* the kernel's thread id */
    uint32_t kind;       /* enum vftrace_kind */
    uint32_t flags;      /* enum vftrace_event_flags */
};

enum vftrace_mpi_kind {
    VFTRACE_SEND = 0,
    VFTRACE_RECEIVE = 1,
    VFTRACE_GET = 2 /* data fetched from a rank that calls nothing for it (one-sided) */
};

/* Data that one MPI call has moved between this rank and another one, or each of several. Delivered when that is
   complete: by the call that completes it (MPI_Wait and the like), on its thread. Messages of a rank that are not
   recorded (mpi.only_for_ranks, mpi.log_messages) are not delivered. */
struct vftrace_mpi_event {
    size_t size;
    uint64_t start_ns; /* when the call that began it was entered */
    uint64_t end_ns;   /* when it was complete */
    uint64_t path;     /* call path of the MPI call that began it */
    const char *name;  /* of that call, e.g. "MPI_Isend" */
    uint64_t bytes;    /* to or from each peer */
    uint32_t thread, tid;
    uint32_t kind;  /* enum vftrace_mpi_kind */
    int32_t peer;   /* rank in MPI_COMM_WORLD; -1: several (a collective call) */
    uint32_t peers; /* number of ranks that it was moved to or from, the own one included where it takes part */
    int32_t tag;    /* -1: has none */
    uint32_t flags; /* VFTRACE_FOREIGN */
    uint32_t reserved;
};
enum { VFTRACE_FOREIGN = 1 }; /* the peer is a rank of another MPI_COMM_WORLD */

/* A kernel that ran on an accelerator. Delivered where a source of such events is recorded; this version has none. */
struct vftrace_gpu_kernel_event {
    size_t size;
    uint64_t start_ns, end_ns; /* on the device, as CLOCK_MONOTONIC of the host */
    uint64_t path;             /* call path that launched it */
    const char *name;
    uint32_t thread, tid; /* that launched it */
    uint32_t device;
    uint32_t stream;
    uint32_t grid[3], block[3];
};

/* An object (executable, shared library, plugin), before the first of its functions is delivered on the thread that
   enters it first. One that is unloaded and loaded again is delivered again. */
struct vftrace_module_event {
    size_t size;
    uint64_t time_ns;
    const char *path;
    const unsigned char *build_id; /* build_id_size bytes; NULL: has none */
    size_t build_id_size;
    uint64_t start, end; /* mapped addresses */
    uint64_t bias;       /* address in memory less address in the file's symbol table */
    uint32_t thread, tid;
};

/* A thread, at its first event and at its end. */
struct vftrace_thread_event {
    size_t size;
    uint64_t time_ns;
    uint32_t thread, tid;
    uint32_t flags;       /* VFTRACE_RUNNING */
    uint32_t parent;      /* number of the thread that created it; VFTRACE_NO_THREAD: not known */
    uint64_t parent_path; /* call path that created it, where the parent is known */
    const void *start;    /* what it was started with; NULL: not known */
    uint64_t created_ns;  /* when its creator asked for it; 0: not known */
};

/* What was not delivered, and what went wrong. */
struct vftrace_totals {
    size_t size;
    uint64_t delivered;  /* calls of callbacks in this process, this one not counted */
    uint64_t dropped;    /* events lost: in signal handlers that interrupted a hook; calls beyond the memory there is */
    uint64_t nested;     /* events within callbacks, never delivered */
    uint64_t exceptions; /* C++ exceptions that left a callback */
    uint64_t nameless;   /* function entries that were delivered without a name */
    uint64_t under_way;  /* calls of callbacks that have not returned; 0 but at the end of a process whose threads still
                            run */
};

/* All functions may be NULL: such events are not wanted, and cost nothing. `user` is handed to each. */
struct vftrace_callbacks {
    size_t size;      /* sizeof(struct vftrace_callbacks) */
    unsigned version; /* VFTRACE_CALLBACKS_VERSION */
    unsigned flags;   /* enum vftrace_options */
    void *user;
    void (*function_enter)(void *user, const struct vftrace_call_event *event);
    void (*function_leave)(void *user, const struct vftrace_call_event *event);
    void (*region_enter)(void *user, const struct vftrace_call_event *event); /* and MPI calls, OpenMP constructs */
    void (*region_leave)(void *user, const struct vftrace_call_event *event);
    void (*mpi)(void *user, const struct vftrace_mpi_event *event);
    void (*gpu_kernel)(void *user, const struct vftrace_gpu_kernel_event *event);
    void (*module_loaded)(void *user, const struct vftrace_module_event *event);
    void (*thread_started)(void *user, const struct vftrace_thread_event *event);
    void (*thread_ended)(void *user, const struct vftrace_thread_event *event);
    /* The last call of all: by vftrace_shutdown, or at the end of the process after its exit handlers. */
    void (*finished)(void *user, const struct vftrace_totals *totals);
};

/*
 * Sets the callbacks, replaces those that are there, or clears them (NULL). The struct is copied. Any thread, any time,
 * not from a signal handler.
 *
 * A call always gets a function and the user pointer that were set together. When it returns, no call of the callbacks
 * before is under way any more and none will come, on any thread: what they use can be freed, their object be closed
 * with dlclose. So it waits for calls that are under way: do not hold a lock that a callback takes. Within a callback
 * it does not wait and returns VFTRACE_PENDING.
 *
 * Functions that have been entered before are left for the callbacks only if their enter was delivered, perhaps to
 * other callbacks. Other threads take new events up at their next event.
 *
 * Returns VFTRACE_OK, FILES_TOO, PENDING, INVALID, NO_MEMORY, ENDED or OFF. Flags are looked at when recording begins.
 */
int vftrace_set_callbacks(const struct vftrace_callbacks *callbacks);

/*
 * Waits until every call of a callback that is under way now has returned. Within a callback it does nothing and
 * returns VFTRACE_PENDING. Events are delivered at once, so there is nothing else to flush; where files are written
 * they are brought up to date.
 */
int vftrace_flush(void);

/*
 * Ends the recording of this process for good: no callback is called after it has returned, but `finished` before that.
 * Where files are written, they are complete then. Any thread, as often as you like: all calls return when it is done.
 * Before recording has begun it sees to it that it never does. Within a callback it returns VFTRACE_PENDING at once: no
 * call begins any more, and the rest is done when those under way have returned, on the thread of the last one. Do not
 * hold a lock that a callback takes. Not from a signal handler.
 */
int vftrace_shutdown(void);

/*
 * The text of a call path, innermost first, e.g. "solve<main<init", cut to size - 1 bytes and 0-terminated (unless size
 * is 0). Returns its whole length in bytes, 0 for a path that is not known. Looks names up; any thread, also within a
 * callback.
 */
size_t vftrace_path_text(uint64_t path, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
