// SPDX-License-Identifier: BSD-3-Clause
//
// What the programs that call MPI's functions family by family have in common: they count what they call, and print all that
// they get back, so that two runs can be compared byte for byte. Nothing that they print may depend on time or on addresses.
// What is called here for the program's own sake goes to the PMPI names, which nobody traces.
//
//   CALL(MPI_Send, …)     must succeed
//   TRIED(MPI_Send, …)  must return an error, which is printed
//   VALUE(MPI_Wtime)      a function that returns no error code
//   begin, end            MPI_Init and MPI_Finalize, and the counts: with a file name as argument, lines "name calls" in
//                         the file of that name with ".<rank>" behind
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_types.h"

#if defined(__GNUC__)
#define MAY_BE_UNUSED __attribute__((unused))
#endif

enum { MAX_NAMES = 400, N = 5, ROOM = 8 * N };
static struct {
    const char *name;
    int calls;
} counts[MAX_NAMES];
static int rank, size, other, bad;
static int out[ROOM], in[ROOM];

static void counted(const char *name)
{
    int i = 0;
    while (counts[i].name && strcmp(counts[i].name, name) != 0)
        ++i;
    counts[i].name = name;
    ++counts[i].calls;
}

MAY_BE_UNUSED static int must_work(const char *name, int error)
{
    if (error != MPI_SUCCESS) {
        printf("%s returned %d\n", name, error);
        bad = 3;
    }
    return error;
}

MAY_BE_UNUSED static int show_error(const char *name, int error)
{
    int class = -1;
    PMPI_Error_class(error, &class);
    // MPICH's codes carry a number that differs from run to run.
    printf("%s: class %d, %s\n", name, class, error == class ? "which is the code" : "and a code of its own");
    return error;
}

#define VALUE(function, ...) (counted(#function), function(__VA_ARGS__))
#define CALL(function, ...) must_work(#function, VALUE(function, __VA_ARGS__))
#define TRIED(function, ...) show_error(#function, VALUE(function, __VA_ARGS__))

MAY_BE_UNUSED static void fill(int value)
{
    for (int i = 0; i < ROOM; ++i) {
        out[i] = 1000 * value + 100 * rank + i;
        in[i] = -1;
    }
}

// What came.
MAY_BE_UNUSED static void show(const char *what)
{
    int used = ROOM;
    while (used > 0 && in[used - 1] == -1)
        --used;
    printf("%s:", what);
    for (int i = 0; i < used; ++i)
        printf(" %d", in[i]);
    printf("\n");
}

// A status in which the fields that MPI leaves alone can be seen.
MAY_BE_UNUSED static MPI_Status preset(void)
{
    MPI_Status status;
    memset(&status, 0x5a, sizeof status);
    return status;
}
MAY_BE_UNUSED static void preset_all(MPI_Status *statuses, int number)
{
    memset(statuses, 0x5a, number * sizeof *statuses);
}

MAY_BE_UNUSED static void show_status_bytes(const char *what, const MPI_Status *status)
{
    printf("%s: source %d tag %d error %d, ", what, status->MPI_SOURCE, status->MPI_TAG, status->MPI_ERROR);
    for (size_t i = 0; i < sizeof *status; ++i)
        printf("%02x", ((const unsigned char *)status)[i]);
    printf("\n");
}

MAY_BE_UNUSED static void show_status(const char *what, MPI_Status *status)
{
    int number = -2, elements = -2, cancelled = -2;
    PMPI_Get_count(status, MPI_INT, &number);
    PMPI_Get_elements(status, MPI_INT, &elements);
    PMPI_Test_cancelled(status, &cancelled);
    printf("%s: %d ints, %d elements, cancelled %d; ", what, number, elements, cancelled);
    show_status_bytes("status", status);
}

// Of the statuses of some requests Open MPI leaves the source and the tag undefined.
MAY_BE_UNUSED static void show_count(const char *what, MPI_Status *status)
{
    int number = -2, elements = -2;
    PMPI_Get_count(status, MPI_INT, &number);
    PMPI_Get_elements(status, MPI_INT, &elements);
    printf("%s: %d ints, %d elements, error in status %d\n", what, number, elements, status->MPI_ERROR);
}

// Of a collective operation that is complete the number of elements is undefined as well (MPI 4.1, 6.12).
MAY_BE_UNUSED static void show_status_error(const char *what, MPI_Status *status)
{
    printf("%s: error in status %d\n", what, status->MPI_ERROR);
}

MAY_BE_UNUSED static void learn_rank(void)
{
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    other = rank ^ 1;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
}

MAY_BE_UNUSED static void begin(int *argc, char ***argv)
{
    CALL(MPI_Init, argc, argv);
    learn_rank();
}

MAY_BE_UNUSED static int write_counts(int argc, char **argv)
{
    if (argc > 1) {
        char name[4096];
        snprintf(name, sizeof name, "%s.%d", argv[1], rank);
        FILE *file = fopen(name, "w");
        for (int i = 0; file && i < MAX_NAMES && counts[i].name; ++i)
            fprintf(file, "%s %d\n", counts[i].name, counts[i].calls);
        if (!file || fclose(file) != 0)
            bad = 5;
    }
    return bad;
}

MAY_BE_UNUSED static int end(int argc, char **argv)
{
    CALL(MPI_Finalize);
    return write_counts(argc, argv);
}
