// SPDX-License-Identifier: BSD-3-Clause
// All forms of Wait and Test, in any order of requests: null and inactive requests, statuses that are ignored or not, cancelled
// and freed requests, generalized requests. An even number of ranks.
#include "calls.h"

static MPI_Request requests[8];
static MPI_Status statuses[8], status;
static int indices[8], index_, number, flag;
static Count received;

static void show_indices(const char *what)
{
    printf("%s: %d:", what, number);
    for (int i = 0; i < number && number != MPI_UNDEFINED; ++i)
        printf(" %d", indices[i]);
    printf("\n");
}
static void show_null(const char *what, int n)
{
    printf("%s: null:", what);
    for (int i = 0; i < n; ++i)
        printf(" %d", requests[i] == MPI_REQUEST_NULL);
    printf("\n");
}

// Two receives and two sends, of which all are complete when this returns, as the other side has completed its own.
static void start_and_arrive(int tag)
{
    MPI_Request sends[2];
    fill(tag);
    for (int i = 0; i < 2; ++i)
        CALL(MPI_Irecv, in + i * N, N, MPI_INT, other, tag + i, MPI_COMM_WORLD, &requests[i]);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i)
        CALL(MPI_Issend, out, N - i, MPI_INT, other, tag + i, MPI_COMM_WORLD, &sends[i]);
    CALL(MPI_Waitall, 2, sends, statuses);
    for (int i = 0; i < 2; ++i)
        do
            CALL(MPI_Request_get_status, requests[i], &flag, MPI_STATUS_IGNORE);
        while (!flag);
    preset_all(statuses, 8);
    status = preset();
    memset(indices, 0xff, sizeof indices);
    index_ = number = flag = -3;
}

static void in_every_form(void)
{
    start_and_arrive(10);
    CALL(MPI_Wait, &requests[1], &status);
    show_status("wait", &status);
    CALL(MPI_Wait, &requests[0], MPI_STATUS_IGNORE);
    show_null("wait", 2);
    show("wait");

    start_and_arrive(20);
    CALL(MPI_Test, &requests[1], &flag, &status);
    show_status("test", &status);
    CALL(MPI_Test, &requests[0], &flag, MPI_STATUS_IGNORE);
    printf("flag %d\n", flag);
    show_null("test", 2);
    show("test");

    start_and_arrive(30);
    CALL(MPI_Waitany, 2, requests, &index_, &status);
    printf("waitany %d\n", index_);
    show_status("waitany", &status);
    CALL(MPI_Waitany, 2, requests, &index_, MPI_STATUS_IGNORE);
    printf("waitany %d\n", index_);
    status = preset();
    CALL(MPI_Waitany, 2, requests, &index_, &status);
    printf("waitany of none: undefined %d\n", index_ == MPI_UNDEFINED);
    show_status("waitany of none", &status);
    show_null("waitany", 2);

    start_and_arrive(40);
    CALL(MPI_Testany, 2, requests, &index_, &flag, &status);
    printf("testany %d %d\n", index_, flag);
    show_status("testany", &status);
    CALL(MPI_Testany, 2, requests, &index_, &flag, MPI_STATUS_IGNORE);
    printf("testany %d %d\n", index_, flag);
    CALL(MPI_Testany, 2, requests, &index_, &flag, &status);
    printf("testany of none: undefined %d, flag %d\n", index_ == MPI_UNDEFINED, flag);
    show_status("testany of none", &status);
    show_null("testany", 2);

    start_and_arrive(50);
    requests[2] = requests[1];
    requests[1] = MPI_REQUEST_NULL;
    CALL(MPI_Waitall, 3, requests, statuses);
    for (int i = 0; i < 3; ++i)
        show_status("waitall with a null request", &statuses[i]);
    show_status_bytes("beyond", &statuses[3]);
    show_null("waitall", 3);
    start_and_arrive(60);
    CALL(MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
    CALL(MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
    CALL(MPI_Waitall, 0, NULL, statuses);

    start_and_arrive(70);
    CALL(MPI_Testall, 2, requests, &flag, statuses);
    printf("testall %d\n", flag);
    for (int i = 0; i < 2; ++i)
        show_status("testall", &statuses[i]);
    show_null("testall", 2);
    start_and_arrive(80);
    CALL(MPI_Testall, 2, requests, &flag, MPI_STATUSES_IGNORE);
    CALL(MPI_Testall, 2, requests, &flag, MPI_STATUSES_IGNORE);
    printf("testall of none %d\n", flag);

    start_and_arrive(90);
    requests[3] = requests[0];
    requests[0] = MPI_REQUEST_NULL;
    CALL(MPI_Waitsome, 4, requests, &number, indices, statuses);
    show_indices("waitsome");
    for (int i = 0; i < 3; ++i)
        show_status("waitsome", &statuses[i]);
    CALL(MPI_Waitsome, 4, requests, &number, indices, statuses);
    printf("waitsome of none: undefined %d\n", number == MPI_UNDEFINED);
    start_and_arrive(100);
    CALL(MPI_Waitsome, 2, requests, &number, indices, MPI_STATUSES_IGNORE);
    show_indices("waitsome, statuses ignored");

    start_and_arrive(110);
    CALL(MPI_Testsome, 2, requests, &number, indices, statuses);
    show_indices("testsome");
    for (int i = 0; i < 2; ++i)
        show_status("testsome", &statuses[i]);
    CALL(MPI_Testsome, 2, requests, &number, indices, MPI_STATUSES_IGNORE);
    printf("testsome of none: undefined %d\n", number == MPI_UNDEFINED);
    start_and_arrive(120);
    CALL(MPI_Testsome, 2, requests, &number, indices, MPI_STATUSES_IGNORE);
    show_indices("testsome, statuses ignored");
    show("testsome");
}

static void not_yet(void)
{
    fill(2);
    preset_all(statuses, 8);
    status = preset();
    for (int i = 0; i < 2; ++i)
        CALL(MPI_Irecv, in + i * N, N, MPI_INT, other, 200 + i, MPI_COMM_WORLD, &requests[i]);
    CALL(MPI_Test, &requests[0], &flag, &status);
    printf("test %d\n", flag);
    CALL(MPI_Testall, 2, requests, &flag, statuses);
    printf("testall %d\n", flag);
    CALL(MPI_Testany, 2, requests, &index_, &flag, &status);
    printf("testany %d, undefined %d\n", flag, index_ == MPI_UNDEFINED);
    CALL(MPI_Testsome, 2, requests, &number, indices, statuses);
    printf("testsome %d\n", number);
    CALL(MPI_Request_get_status, requests[0], &flag, &status);
    printf("request_get_status %d\n", flag);
    show_status_bytes("status", &status);
    for (int i = 0; i < 2; ++i)
        show_status_bytes("statuses", &statuses[i]);
    show_null("not yet", 2);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i)
        CALL(MPI_Send, out, N, MPI_INT, other, 200 + i, MPI_COMM_WORLD);
    status = preset();
    do
        CALL(MPI_Request_get_status, requests[0], &flag, &status);
    while (!flag);
    show_status("request_get_status", &status);
    CALL(MPI_Waitall, 2, requests, statuses);
    show("not yet");
}

static void null_and_inactive(void)
{
    MPI_Request none = MPI_REQUEST_NULL, idle;
    status = preset();
    CALL(MPI_Wait, &none, &status);
    show_status("wait for null", &status);
    CALL(MPI_Wait, &none, MPI_STATUS_IGNORE);
    status = preset();
    CALL(MPI_Test, &none, &flag, &status);
    show_status("test of null", &status);
    status = preset();
    CALL(MPI_Request_get_status, none, &flag, &status);
    show_status("request_get_status of null", &status);
    CALL(MPI_Recv_init, in, N, MPI_INT, other, 300, MPI_COMM_WORLD, &idle);
    status = preset();
    CALL(MPI_Wait, &idle, &status);
    show_status("wait for an inactive one", &status);
    status = preset();
    CALL(MPI_Test, &idle, &flag, &status);
    show_status("test of an inactive one", &status);
    requests[0] = none;
    requests[1] = idle;
    preset_all(statuses, 2);
    CALL(MPI_Waitall, 2, requests, statuses);
    for (int i = 0; i < 2; ++i)
        show_status("waitall of null and inactive", &statuses[i]);
    CALL(MPI_Waitany, 2, requests, &index_, &status);
    printf("waitany undefined %d\n", index_ == MPI_UNDEFINED);
    CALL(MPI_Testsome, 2, requests, &number, indices, statuses);
    printf("testsome undefined %d, stays %d\n", number == MPI_UNDEFINED, requests[1] == idle);
    CALL(MPI_Request_free, &idle);
}

static void cancelled_and_freed(void)
{
    fill(3);
    status = preset();
    CALL(MPI_Irecv, in, N, MPI_INT, other, 400, MPI_COMM_WORLD, &requests[0]);
    CALL(MPI_Cancel, &requests[0]);
    CALL(MPI_Wait, &requests[0], &status);
    CALL(MPI_Test_cancelled, &status, &flag);
    printf("cancelled %d, null %d\n", flag, requests[0] == MPI_REQUEST_NULL);
    CALL(MPI_Isend, out, N, MPI_INT, other, 401, MPI_COMM_WORLD, &requests[0]);
    CALL(MPI_Request_free, &requests[0]);
    CALL(MPI_Recv, in, N, MPI_INT, other, 401, MPI_COMM_WORLD, &status);
    printf("freed: null %d\n", requests[0] == MPI_REQUEST_NULL);
    show("freed");
}

static int state_query(void *extra, MPI_Status *status_)
{
    printf("queried %d\n", *(int *)extra);
    CALL(MPI_Status_set_elements, status_, MPI_INT, *(int *)extra);
    CALL(MPI_Status_set_cancelled, status_, 0);
    status_->MPI_SOURCE = 3;
    status_->MPI_TAG = 4;
    return MPI_SUCCESS;
}
static int state_free(void *extra)
{
    printf("freed %d\n", *(int *)extra);
    return MPI_SUCCESS;
}
static int state_cancel(void *extra, int complete)
{
    printf("cancelled %d, complete %d\n", *(int *)extra, complete);
    return MPI_SUCCESS;
}

static void generalized(void)
{
    int extra = 7;
    status = preset();
    CALL(MPI_Grequest_start, state_query, state_free, state_cancel, &extra, &requests[0]);
    CALL(MPI_Test, &requests[0], &flag, &status);
    printf("flag %d\n", flag);
    CALL(MPI_Cancel, &requests[0]);
    CALL(MPI_Grequest_complete, requests[0]);
    CALL(MPI_Wait, &requests[0], &status);
    printf("generalized: source %d tag %d\n", status.MPI_SOURCE, status.MPI_TAG);
    CALL(MPI_Get_count, &status, MPI_INT, &received);
    printf("count %d\n", (int)received);
}

static void statuses_by_hand(void)
{
    MPI_Fint fortran[20] = {0};
    MPI_Status back;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = 1;
    status.MPI_TAG = 2;
    CALL(MPI_Status_set_elements, &status, MPI_INT, 11);
    CALL(MPI_Status_set_elements_x, &status, MPI_INT, (MPI_Count)12);
    CALL(MPI_Status_set_cancelled, &status, 1);
    CALL(MPI_Status_c2f, &status, fortran);
    CALL(MPI_Status_f2c, fortran, &back);
    show_status("by hand", &back);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    in_every_form();
    not_yet();
    null_and_inactive();
    cancelled_and_freed();
    generalized();
    statuses_by_hand();
    return end(argc, argv);
}
