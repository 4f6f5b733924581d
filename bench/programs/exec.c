/* SPDX-License-Identifier: BSD-3-Clause */
/* exec up to the exec itself, and back: of a program that does not exist, so that all that a recorder does before the exec is done, and
 * what it undoes as well. */
#include "workload.h"

#include <unistd.h>

extern char **environ;

uint64_t work(uint64_t calls, const char *argument)
{
    char *arguments[] = {"nothing", "of", "this", "name", NULL};
    (void)argument;
    for (uint64_t i = 0; i < calls; i++)
        execve("./nothing of this name", arguments, environ);
    return calls;
}
