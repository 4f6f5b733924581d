// SPDX-License-Identifier: BSD-3-Clause
// A program that never calls MPI_Init, but makes its communicator from a session of MPI 4. Two ranks.
#include "calls.h"

#if MPI_VERSION >= 4
static void handler(MPI_Session *session, int *error, ...)
{
    int class = -1;
    (void)session;
    PMPI_Error_class(*error, &class);
    printf("handled %d\n", class);
}

static void run(void)
{
    MPI_Session session;
    MPI_Errhandler errhandler, current;
    MPI_Group group, half;
    MPI_Comm comm, inter;
    MPI_Info info;
    int number = -1, length = 0, flag = -1;
    char name[200] = "";
    CALL(MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    CALL(MPI_Session_create_errhandler, handler, &errhandler);
    CALL(MPI_Initialized, &flag);
    printf("initialized %d\n", flag);
    CALL(MPI_Session_set_errhandler, session, errhandler);
    CALL(MPI_Session_get_errhandler, session, &current);
    CALL(MPI_Session_call_errhandler, session, MPI_ERR_OTHER);
    CALL(MPI_Session_get_num_psets, session, MPI_INFO_NULL, &number);
    CALL(MPI_Session_get_nth_pset, session, MPI_INFO_NULL, 0, &length, NULL);
    length = sizeof name;
    CALL(MPI_Session_get_nth_pset, session, MPI_INFO_NULL, 0, &length, name);
    printf("%d sets of processes, the first %s\n", number, name);
    CALL(MPI_Session_get_pset_info, session, name, &info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Session_get_info, session, &info);
    CALL(MPI_Info_free, &info);
    CALL(MPI_Group_from_session_pset, session, "mpi://WORLD", &group);
    CALL(MPI_Comm_create_from_group, group, "here", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    CALL(MPI_Comm_rank, comm, &rank);
    CALL(MPI_Comm_size, comm, &size);
    other = rank ^ 1;
    fill(1);
    CALL(MPI_Allreduce, out, in, N, MPI_INT, MPI_SUM, comm);
    show("in a session");
    MPI_Status status = preset();
    CALL(MPI_Sendrecv, out, N, MPI_INT, other, 1, in, N, MPI_INT, other, 1, comm, &status);
    show_status("in a session", &status);
    CALL(MPI_Group_incl, group, 1, &rank, &half);
    MPI_Group theirs;
    CALL(MPI_Group_incl, group, 1, &other, &theirs);
    TRIED(MPI_Intercomm_create_from_groups, half, 0, theirs, 0, "between", MPI_INFO_NULL, MPI_ERRORS_RETURN, &inter);
    CALL(MPI_Group_free, &theirs);
    CALL(MPI_Group_free, &half);
    CALL(MPI_Group_free, &group);
    CALL(MPI_Comm_free, &comm);
    CALL(MPI_Errhandler_free, &errhandler);
    CALL(MPI_Session_finalize, &session);
    // Of what follows only the calls of rank 0 are sure to be in the log of the job.
    must_work("MPI_Finalized", rank != 0 ? PMPI_Finalized(&flag) : VALUE(MPI_Finalized, &flag));
    printf("null %d, finalized %d\n", session == MPI_SESSION_NULL, flag);
}
#else
static void run(void)
{
    CALL(MPI_Init, NULL, NULL);
    learn_rank();
    CALL(MPI_Finalize);
}
#endif

int main(int argc, char **argv)
{
    run();
    return write_counts(argc, argv);
}
