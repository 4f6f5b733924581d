// SPDX-License-Identifier: BSD-3-Clause
// 4 threads of each of 2 ranks send and receive at the same time, on communicators of their own and on a common one; each ends
// requests that it began itself and hands some to the next thread to end.
#include "expect.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50, N = 8, I = sizeof(int) };
static MPI_Comm comms[THREADS];
static MPI_Request handed[THREADS];
static pthread_barrier_t together;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *argument)
{
    const int t = *(const int *)argument, next = (t + 1) % THREADS, other = 1 - rank;
    int in[2 * N][N], out[N] = {0};
    static int late[THREADS];
    for (int round = 0; round < ROUNDS; ++round) {
        MPI_Comm comm = round % 2 ? comms[t] : MPI_COMM_WORLD;
        MPI_Request list[2 * N];
        const int tag = 1000 * t + 10 * (round % 10);
        for (int i = 0; i < N; ++i)
            MUST(MPI_Irecv(in[i], N, MPI_INT, other, tag + i, comm, &list[i]));
        for (int i = 0; i < N; ++i)
            MUST(MPI_Isend(out, i, MPI_INT, other, tag + i, comm, &list[N + i]));
        if (round % 3) {
            MUST(MPI_Waitall(2 * N, list, MPI_STATUSES_IGNORE));
        } else {
            int done = 0, count, indices[2 * N];
            for (; done < 2 * N; done += count)
                MUST(MPI_Waitsome(2 * N, list, &count, indices, MPI_STATUSES_IGNORE));
        }
        // One that another thread ends.
        MUST(MPI_Irecv(&late[t], 1, MPI_INT, other, 9000 + t, comms[t], &handed[t]));
        MUST(MPI_Send(out, 1, MPI_INT, other, 9000 + t, comms[t]));
        pthread_barrier_wait(&together);
        MUST(MPI_Wait(&handed[next], MPI_STATUS_IGNORE));
        pthread_barrier_wait(&together);
        pthread_mutex_lock(&writing);
        for (int i = 0; i < N; ++i) {
            SENT(MPI_Isend, other, tag + i, i * I);
            GOT(MPI_Irecv, other, tag + i, i * I);
        }
        SENT(MPI_Send, other, 9000 + t, I);
        GOT(MPI_Irecv, other, 9000 + t, I);
        pthread_mutex_unlock(&writing);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, numbers[THREADS];
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        return 4;
    begin_expecting();
    pthread_barrier_init(&together, NULL, THREADS);
    for (int t = 0; t < THREADS; ++t)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]);
    for (int t = 0; t < THREADS; ++t) {
        numbers[t] = t;
        pthread_create(&threads[t], NULL, thread, &numbers[t]);
    }
    for (int t = 0; t < THREADS; ++t)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; ++t)
        MPI_Comm_free(&comms[t]);
    MPI_Finalize();
    return fclose(expected);
}
