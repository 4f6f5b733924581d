/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atoms of a gas in a box without walls: what leaves on one side comes back on the other. It takes longer than it has
 * to: why, and how to find that out, is told in share_src/doc/tutorial.md.
 *
 *   vftr cc -O2 gas.c -lm -o gas && ./gas && less gas_all.log
 *
 * Its argument is the number of steps, 100 unless given.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { Side = 20, Atoms = Side * Side, Steps = 10000, Lines = 5 };
static const double box = 1.5 * Side, reach = 2.5, time_step = 0.002;

typedef struct {
    double x, y;
} Vector;
static Vector place[Atoms], speed[Atoms], force[Atoms];

/* The way from one place to another, around the edge of the box where that is shorter. */
static double shorter(double way)
{
    return way - box * rint(way / box);
}

/* Those that atom i feels. */
static int find_neighbours(int i, int *found)
{
    int n = 0;
    for (int j = 0; j < Atoms; j++) {
        const double x = shorter(place[j].x - place[i].x), y = shorter(place[j].y - place[i].y);
        if (j != i && x * x + y * y < reach * reach)
            found[n++] = j;
    }
    return n;
}

static void add_forces_on(int i)
{
    int near[Atoms];
    const int n = find_neighbours(i, near);
    force[i] = (Vector){0.0, 0.0};
    for (int k = 0; k < n; k++) {
        const double x = shorter(place[near[k]].x - place[i].x), y = shorter(place[near[k]].y - place[i].y);
        const double s = 1.0 / (x * x + y * y), s3 = s * s * s, strength = 24.0 * s * s3 * (1.0 - 2.0 * s3);
        force[i].x += strength * x;
        force[i].y += strength * y;
    }
}

static double energy_of(int i)
{
    int near[Atoms];
    const int n = find_neighbours(i, near);
    double energy = 0.5 * (speed[i].x * speed[i].x + speed[i].y * speed[i].y);
    for (int k = 0; k < n; k++) {
        const double x = shorter(place[near[k]].x - place[i].x), y = shorter(place[near[k]].y - place[i].y);
        const double s = 1.0 / (x * x + y * y), s3 = s * s * s;
        energy += 2.0 * s3 * (s3 - 1.0);
    }
    return energy;
}

static double total_energy(void)
{
    double sum = 0.0;
    for (int i = 0; i < Atoms; i++)
        sum += energy_of(i);
    return sum;
}

static void begin(void)
{
    for (int i = 0; i < Atoms; i++) {
        place[i] = (Vector){1.5 * (i % Side), 1.5 * (i / Side)};
        speed[i] = (Vector){sin(7.0 * i), cos(11.0 * i)};
    }
}

static void move(void)
{
    for (int i = 0; i < Atoms; i++)
        add_forces_on(i);
    for (int i = 0; i < Atoms; i++) {
        speed[i].x += time_step * force[i].x;
        speed[i].y += time_step * force[i].y;
        place[i].x += time_step * speed[i].x;
        place[i].y += time_step * speed[i].y;
    }
}

int main(int argc, char **argv)
{
    const int wanted = argc > 1 ? atoi(argv[1]) : 100, steps = wanted < Steps ? wanted : Steps,
              every = steps < Lines ? 1 : steps / Lines;
    static double energy[Steps + 1];
    begin();
    for (int step = 1; step <= steps; step++) {
        move();
        energy[step] = total_energy();
    }
    for (int step = every; step <= steps; step += every)
        printf("step %4d: energy %.3f\n", step, energy[step]);
    return 0;
}
