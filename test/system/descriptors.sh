# SPDX-License-Identifier: BSD-3-Clause
# What we open is never where the program's standard streams are or were, and what we say goes to stderr or nowhere.
. "${srcdir:-.}/test/system/lib.sh"

# Issue: our descriptors land on 0–2 where the program has closed them, and its output then overwrites the recording
expect_results_without_output() {
    rm -rf results
    mkdir results
    config '"output_directory": "results", "sampling": {"active": true, "sample_interval": 0}'
    build silent.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int leaf(int x) { return x + 1; }
__attribute__((no_instrument_function)) static void *talk(void *ready)
{
    static const char text[] = "spoken by the program\n";
    for (;;) {
        for (int stream = 0; stream < 3; stream++)
            if (write(stream, text, sizeof text - 1) > 0)
                *(volatile int *)ready = 2;
        *(volatile int *)ready |= 1;
    }
    return 0;
}
int main(void)
{
    int sum = 0;
    volatile int ready = 0;
    pthread_t t;
    for (int stream = 0; stream < 3; stream++)
        close(stream);
    pthread_create(&t, 0, talk, (void *)&ready);
    while (!ready)
        usleep(1000);
    for (int i = 0; i < 200000; i++)
        sum += leaf(i);
    return sum == 0;
}
END
    run ./silent
    expect_status 0
    ! grep -rl 'spoken by the program' results || fail "the program's output is in these files"
    expect_calls results/silent_all.log leaf 200000
    "$vftr" dump results/silent_0.vfd >dumped || fail "vftr dump"
}
test_closed_standard_streams_are_no_place_for_our_files() {
    for linkage in shared archive; do
        expect_results_without_output
    done
}

# Issue: messages go to fd 2 whatever it is by then (a user's data file got our warning in its middle)
test_a_warning_is_never_written_into_a_file_that_took_the_place_of_stderr() {
    mkdir results
    config '"output_directory": "results"'
    build data.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int leaf(int x) { return x + 1; }
int main(int argc, char **argv)
{
    int sum = 0;
    (void)argc;
    for (int i = 0; i < 1000; i++)
        sum += leaf(i);
    if (system("rm -rf results") != 0)
        return 2;
    if (strcmp(argv[1], "closed") == 0) {
        close(2);
        if (open("numbers", O_WRONLY | O_CREAT | O_TRUNC, 0644) != 2 || write(2, "1 2 3\n", 6) != 6)
            return 3;
    }
    return sum == 0;
}
END
    run ./data open
    expect_status 0
    grep -q '^vftrace: warning:' err || fail "it gives no warning that could go astray"
    mkdir results
    run ./data closed
    expect_status 0
    expect_same "$(cat numbers)" '1 2 3' 'what the program wrote'
}

# Issue: messages go to fd 2 whatever it is by then (closed before the program began)
test_a_program_that_begins_without_stderr_gets_no_message_in_its_files() {
    build early.c <<'END'
#include <fcntl.h>
#include <unistd.h>
static int leaf(int x) { return x + 1; }
__attribute__((constructor, no_instrument_function)) static void begin(void)
{
    open("numbers", O_WRONLY | O_CREAT | O_TRUNC, 0644);
}
int main(void) { return leaf(1) != 2 || write(2, "1 2 3\n", 6) != 6; }
END
    echo '{"profile_table": {"no_such_option": 1}}' >config.json
    VFTR_CONFIG=$PWD/config.json run sh -c 'exec ./early 2>&-'
    expect_status 0
    expect_same "$(cat numbers)" '1 2 3' 'what the program wrote'
    expect_file early_all.log
}

# The command keeps its own stderr, whatever that is.
test_the_command_speaks_to_its_stderr() {
    run "$vftr" report missing.vfd
    [ "$status" != 0 ] || fail "it reads a file that is not there"
    [ -s err ] || fail "it says nothing"
}

run_tests
