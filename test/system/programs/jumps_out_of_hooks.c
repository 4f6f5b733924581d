/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose signal handler jumps to main, so many times as the argument says: mostly out of a hook, as it does nothing but call mark. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static sigjmp_buf back;
static volatile int jumps;

static void mark(void) {}
__attribute__((no_instrument_function)) static void handler(int sig)
{
    (void)sig;
    jumps++;
    siglongjmp(back, 1);
}

int main(int argc, char **argv)
{
    struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    int most = argc > 1 ? atoi(argv[1]) : 1000;
    signal(SIGALRM, handler);
    if (sigsetjmp(back, 1) == 0) /* before the first signal can come */
        setitimer(ITIMER_REAL, &often, 0);
    while (jumps < most)
        mark();
    setitimer(ITIMER_REAL, &never, 0);
    for (int i = 0; i < 100000; i++)
        mark();
    return 0;
}
