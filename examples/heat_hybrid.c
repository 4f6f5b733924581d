/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a plate on several ranks with threads. The lower rows of the plate lie in a material that takes more steps, so the last rank has most to do
 * and the others wait for it: the first screen of the log tells how much.
 *
 *   mpicc -O2 -g -fopenmp -finstrument-functions heat_hybrid.c $(pkg-config --cflags --libs vftrace) -lm -o heat_hybrid
 *   OMP_NUM_THREADS=2 mpirun -n 2 ./heat_hybrid && less heat_hybrid_all.log   # its argument is the number of steps, 600 unless given
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Width = 1000, Rows = 200 };

static int rank, ranks;

static double *new_part(void)
{
    double *part = calloc((Rows + 2) * Width, sizeof *part);
    if (!part) {
        perror("heat_hybrid");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; rank == 0 && i < Width; i++)
        part[i] = 100.0; /* the hot edge */
    return part;
}

/* Rows 0 and Rows + 1 belong to the neighbours. */
static void exchange_rows(double *part)
{
    const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(part + Width, Width, MPI_DOUBLE, above, 0, part + (Rows + 1) * Width, Width, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(part + Rows * Width, Width, MPI_DOUBLE, below, 1, part, Width, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double relax(const double *from, double *to)
{
    const int substeps = 1 + rank;
    double change = 0.0;
#pragma omp parallel for reduction(max : change)
    for (int row = 1; row <= Rows; row++)
        for (int step = 0; step < substeps; step++)
            for (int i = row * Width + 1; i < (row + 1) * Width - 1; i++) {
                to[i] = 0.25 * (from[i - 1] + from[i + 1] + from[i - Width] + from[i + Width]);
                change = fmax(change, fabs(to[i] - from[i]));
            }
    return change;
}

static double norm(const double *part)
{
    double sum = 0.0;
    for (int i = Width; i < (Rows + 1) * Width; i++)
        sum += part[i] * part[i];
    return sqrt(sum);
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 600;
    double last = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *now = new_part(), *next = new_part();
    for (int step = 0; step < steps; step++) {
        exchange_rows(now);
        double change = relax(now, next), largest;
        MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        double *swap = now;
        now = next;
        next = swap;
        last = norm(now);
    }
    if (rank == 0)
        printf("norm of the upper part after %d steps: %.3f\n", steps, last);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
