// SPDX-License-Identifier: BSD-3-Clause
//
// What the programs have in common whose messages are compared with the recording: they write what they know they moved into the
// file expected.<rank>, a line "function direction peer tag bytes" for each message to or from one rank.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_types.h"

static int rank, size;
static FILE *expected;

__attribute__((unused)) static void begin_expecting(void)
{
    char name[32];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "expected.%d", rank);
    expected = fopen(name, "w");
}

// One message. Not to MPI_PROC_NULL, and in a collective call (without a tag) not without data.
__attribute__((unused)) static void moves(const char *function, const char *direction, int peer, int tag, long bytes)
{
    if (peer >= 0 && (tag >= 0 || bytes > 0))
        fprintf(expected, "%s %s %d %d %ld\n", function, direction, peer, tag, bytes);
}
#define SENT(function, peer, tag, bytes) moves(#function, "send", peer, tag, bytes)
#define GOT(function, peer, tag, bytes) moves(#function, "recv", peer, tag, bytes)

__attribute__((unused)) static void must(int error, const char *what)
{
    if (error != MPI_SUCCESS) {
        fprintf(stderr, "rank %d: %s returned %d\n", rank, what, error);
        exit(3);
    }
}
#define MUST(call) must(call, #call)
