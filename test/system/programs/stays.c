/* SPDX-License-Identifier: BSD-3-Clause */
/* Four threads call leaf CALLS times each and then stay in it; when all of them do, the process id goes to stdout. It ends with its input. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_barrier_t barrier;
static void leaf(int stay)
{
    if (stay) {
        pthread_barrier_wait(&barrier);
        pause();
    }
}
static void *work(void *unused)
{
    for (int i = 0; i < CALLS; i++)
        leaf(0);
    leaf(1);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 5);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_barrier_wait(&barrier);
    printf("%d\n", (int)getpid());
    fflush(stdout);
    getchar();
    return 0;
}
