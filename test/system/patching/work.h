/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program and the instrumented code that it watches say to each other. */
#ifndef WORK_H
#define WORK_H

#ifdef __cplusplus
extern "C" {
#endif

enum { KINDS = 8 };

struct work {
    /* The instrumented functions, in the order of their kinds. The last one is never taken out. */
    void *functions[KINDS];
    /* Calls them. The result is known, and how often kind k is called: calls[k]. */
    long (*run)(long n, long calls[KINDS]);
};

const struct work *the_work(void);

#ifdef __cplusplus
}
#endif

#endif
