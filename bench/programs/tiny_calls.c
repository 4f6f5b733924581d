/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions whose calls take from a nanosecond to milliseconds: of the shortest ones the hooks cost many times what they take, so that the log tells of large uncertainties. */
#include <stdio.h>
static volatile unsigned sink;
__attribute__((noinline)) unsigned tiny(unsigned x) { return x * 1664525u + 1013904223u; }
__attribute__((noinline)) unsigned brief(unsigned x) { for (int i = 0; i < 30; i++) x = x * 1664525u + 1013904223u; return x; }
__attribute__((noinline)) unsigned middle(unsigned x) { for (int i = 0; i < 400; i++) x = tiny(x) ^ (x >> 7); return x; }
__attribute__((noinline)) unsigned kernel(unsigned x) { for (int i = 0; i < 2000000; i++) x = x * 1664525u + 1013904223u; return x; }
int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 500; k++)
            x = middle(x);
        for (int k = 0; k < 30000; k++)
            x = brief(x);
        x = kernel(x);
    }
    sink = x;
    return 0;
}
