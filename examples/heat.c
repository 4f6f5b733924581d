/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a plate, serial: the first program to try.
 *
 *   gcc -O2 -g -finstrument-functions heat.c $(pkg-config --cflags --libs vftrace) -lm -o heat && ./heat && less heat_all.log
 *
 * ./heat STEPS takes another number of steps than 4000, which take a second or two.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { Size = 300 };

static double *new_plate(void)
{
    double *plate = calloc(Size * Size, sizeof *plate);
    if (!plate) {
        perror("heat");
        exit(1);
    }
    for (int i = 0; i < Size; i++)
        plate[i] = 100.0;
    return plate;
}

static double relax_row(const double *from, double *to, int row)
{
    double change = 0.0;
    for (int i = row * Size + 1; i < (row + 1) * Size - 1; i++) {
        to[i] = 0.25 * (from[i - 1] + from[i + 1] + from[i - Size] + from[i + Size]);
        change = fmax(change, fabs(to[i] - from[i]));
    }
    return change;
}

static double relax(const double *from, double *to)
{
    double change = 0.0;
    for (int row = 1; row < Size - 1; row++)
        change = fmax(change, relax_row(from, to, row));
    return change;
}

static double mean(const double *plate)
{
    double sum = 0.0;
    for (int i = 0; i < Size * Size; i++)
        sum += plate[i];
    return sum / (Size * Size);
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 4000;
    double *now = new_plate(), *next = new_plate(), change = 0.0, warmth = 0.0;
    for (int step = 0; step < steps; step++) {
        change = relax(now, next);
        double *last = now;
        now = next;
        next = last;
        if (step % 5 == 0)
            warmth = mean(now);
    }
    printf("mean temperature %.6f, last change %.6f\n", warmth, change);
    free(now);
    free(next);
    return 0;
}
