/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions whose calls take from a tenth of a microsecond to milliseconds, for what the time of each is on a core that others share. Hooks cost each of them less than
 * the function itself takes: of what hooks cost a third is not known, and that third is to be no more than a few percent of any function's share.
 * It is to be built with -O1, so that the loops use registers: in memory, as with -O0, the same loop takes once and a half or twice as long in some runs as in others,
 * since the processor forwards its stores in one way or another. */
#define STEPS(n) for (int i = 0; i < n; i++) x = x * 1664525u + 1013904223u
static volatile unsigned sink;
__attribute__((noinline)) unsigned tiny(unsigned x) { STEPS(100); return x; }
__attribute__((noinline)) unsigned brief(unsigned x) { STEPS(400); return x; }
__attribute__((noinline)) unsigned middle(unsigned x) { STEPS(4000); for (int i = 0; i < 80; i++) x = tiny(x) ^ (x >> 7); return x; }
__attribute__((noinline)) unsigned kernel(unsigned x) { STEPS(4000000); return x; }
int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 200; k++)
            x = middle(x);
        for (int k = 0; k < 5000; k++)
            x = brief(x);
        x = kernel(x);
    }
    sink = x;
    return 0;
}
