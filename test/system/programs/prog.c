/* SPDX-License-Identifier: BSD-3-Clause */
/* leaf is called as often as the argument says; the sum goes to stdout. */
#include <stdio.h>
#include <stdlib.h>
static int leaf(int n) { return n & 1; }
static int work(int n) { int sum = 0; while (n--) sum += leaf(n); return sum; }
int main(int argc, char **argv)
{
    printf("%d\n", work(argc > 1 ? atoi(argv[1]) : 1000));
    return 3;
}
