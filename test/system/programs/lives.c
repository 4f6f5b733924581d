/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls leaf 500 times and says "ready"; it ends with its input. */
#include <stdio.h>
#include <unistd.h>
static void leaf(void) {}
int main(void)
{
    for (int i = 0; i < 500; i++)
        leaf();
    puts("ready");
    fflush(stdout);
    char byte;
    return read(0, &byte, 1) < 0;
}
