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

# streams_taken CALLS: the descriptors below 3 that the program's table got after its close(2), in strace's file CALLS. A helper of ours has
# a table of its own (clone without CLONE_FILES), which does not count.
streams_taken() {
    awk '/ (clone3?|vfork|fork)\(/ { apart[$1] = !/CLONE_FILES/ }
        FNR == NR { if (apart[$1] && /(clone|fork).*= [0-9]+$/) { helper[$NF] = 1; apart[$1] = 0 }; next }
        / close\(2/ && !helper[$1] { closed = 1 }
        closed && !helper[$1] && /(openat|dup[23]?|fcntl|socket)( resumed>|\().*= [012]$/ && !/F_GET|F_SET/' "$1" "$1"
}

# Issue: while a file is opened, a descriptor of ours stands on 0 to 2 for a moment, and a dup of another thread gets a wrong number
test_no_descriptor_of_ours_is_on_a_closed_standard_stream_even_for_a_moment() {
    have strace || skip "no strace"
    config '"sampling": {"active": true, "sample_interval": 0}, "filter": {"exclude": {"functions": "^excluded"}}'
    build plugin.c -shared -fPIC <<'END'
int of_plugin(int x) { return x + 1; }
END
    build crowd.c -ldl -rdynamic <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <vftrace.h>
static int excluded(int x) { return x - 1; }
static int leaf(int x) { return x + 1; }
static void *work(void *sum)
{
    for (int i = 0; i < 50000; i++)
        *(int *)sum += leaf(i) + excluded(i);
    return sum;
}
__attribute__((no_instrument_function)) static void *wait_for_end(void *end)
{
    pthread_mutex_lock(end);
    return 0;
}
__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
    pthread_t waits, works;
    pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
    int sum = 0;
    void *plugin = dlopen("./plugin", RTLD_NOW);
    int (*of_plugin)(int) = (int (*)(int))dlsym(plugin, "of_plugin");
    if (argc > 1)
        work(&sum);
    pthread_mutex_lock(&end);
    pthread_create(&waits, 0, wait_for_end, &end);
    for (int stream = 0; stream < 3; stream++)
        close(stream);
    pthread_create(&works, 0, work, &sum);
    pthread_join(works, 0);
    of_plugin(1);
    free(vftrace_get_stack());
    dlclose(plugin);
    return sum == 0 || vftrace_snapshot("copy.vfd") != VFTRACE_OK;
}
END
    local begun calls=50000
    for begun in "" already; do
        [ -z "$begun" ] || calls=100000
        rm -f crowd_* copy.vfd
        # shellcheck disable=SC2086
        strace -f --seccomp-bpf -o calls -e trace=openat,fcntl,dup,dup2,dup3,close,clone,clone3,fork,vfork,socket ./crowd $begun >out 2>err ||
            skip "strace cannot trace here: $(head -2 err)"
        ! grep -q 'clone(.*CLONE_VM.*= -1 E' calls || skip "there is no helper here"
        expect_same "$(streams_taken calls | head -5)" "" "what was opened on a closed standard stream"
        expect_calls crowd_all.log leaf $calls
        expect_calls crowd_all.log of_plugin 1
        expect_file copy.vfd
        "$vftr" dump crowd_0.vfd >dumped || fail "vftr dump"
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
