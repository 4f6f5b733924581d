/* SPDX-License-Identifier: BSD-3-Clause */
/* Worksharing, barriers, critical sections and locks of OpenMP. */
#include <omp.h>
static void leaf(void) {}
static int total, in_order, bad;
static omp_lock_t lock;
static omp_nest_lock_t nested_lock;
static void loops(void)
{
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < 100; i++)
        leaf();
#pragma omp parallel for schedule(guided)
    for (unsigned long long i = 0; i < 50; i++)
        leaf();
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 10; i++)
            leaf();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; i++)
            leaf();
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 20; i++) {
#pragma omp ordered
            bad += in_order++ != i;
        }
#pragma omp for schedule(guided) nowait reduction(+ : total)
        for (int i = 0; i < 10; i++)
            total++;
#pragma omp for schedule(runtime) nowait
        for (unsigned long long i = 0; i < 10; i++)
            leaf();
    }
}
static void parts(void)
{
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            leaf();
#pragma omp section
            leaf();
        }
#pragma omp single
        leaf();
#pragma omp barrier
#pragma omp master
        leaf();
    }
#pragma omp parallel sections
    {
#pragma omp section
        leaf();
    }
}
static void exclusive(void)
{
#pragma omp parallel
    {
#pragma omp critical
        total++;
#pragma omp critical(named)
        leaf();
        omp_set_lock(&lock);
        total++;
        omp_unset_lock(&lock);
        while (!omp_test_lock(&lock))
            ;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nested_lock);
        omp_set_nest_lock(&nested_lock);
        omp_unset_nest_lock(&nested_lock);
        omp_unset_nest_lock(&nested_lock);
        leaf();
    }
}
int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested_lock);
    loops();
    parts();
    exclusive();
    return bad;
}
