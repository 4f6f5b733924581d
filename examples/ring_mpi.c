/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A token that goes around all ranks, work that is larger on higher ranks, and a sum: look for the imbalance.
 *
 *   mpicc -g -finstrument-functions ring_mpi.c $(pkg-config --cflags --libs vftrace) -o ring_mpi && mpirun -n 2 ./ring_mpi
 */
#include <mpi.h>
#include <stdio.h>

static double work(int amount)
{
    double sum = 0.0;
    for (int i = 1; i <= amount; i++)
        sum += 1.0 / i;
    return sum;
}

static int pass_on(int token, int rank, int size)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, received;
    MPI_Request request;
    MPI_Irecv(&received, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, &request);
    MPI_Send(&token, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return received;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int token = rank;
    double mine = 0.0, all = 0.0;
    int rounds = 2000 - 2000 % size; // the token ends where it began
    for (int round = 0; round < rounds; round++) {
        mine += work(200000 * (rank + 1));
        token = pass_on(token, rank, size);
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (token != rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        printf("%d ranks, sum %.6f\n", size, all);
    MPI_Finalize();
    return 0;
}
