# SPDX-License-Identifier: BSD-3-Clause
# What a large program costs at its end follows the functions that were called, not those that it has.
. "${srcdir:-.}/test/system/lib.sh"

# others FUNCTIONS: others.o, which has so many.
others() {
    cat >others.s <<END
    .macro function
    .type function_that_nobody_calls_\\@, @function
function_that_nobody_calls_\\@:
    .byte 0
    .size function_that_nobody_calls_\\@, 1
    .endm
    .text
    .rept $1
    function
    .endr
    .section .note.GNU-stack,"",@progbits
END
    $cc -c others.s -o others.o || fail "cannot assemble"
}
# program FUNCTIONS NAME: it calls ten functions, in itself and in a child, and has so many others. With an argument it kills itself at its end.
program() {
    others "$1"
    build "$2".c others.o <<'END'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#define F(n) static int called_##n(int x) { return x + n; }
F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8)
static int work(int x)
{
    return called_0(called_1(called_2(called_3(called_4(called_5(called_6(called_7(called_8(x)))))))));
}
int main(int argc, char **argv)
{
    int status = -1;
    (void)argv;
    pid_t child = fork();
    if (child == 0)
        return work(0) != 36;
    waitpid(child, &status, 0);
    if (work(0) != 36)
        return 1;
    if (argc > 1)
        raise(SIGKILL);
    return status != 0;
}
END
}
# peak_of PROGRAM: KiB of memory that it, or its child, had at most.
peak_of() {
    [ -x peak ] || instrument='' linkage=none build peak.c <<'END'
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct rusage used;
    int status = -1;
    pid_t child = fork();
    if (child == 0 && argc > 1)
        execv(argv[1], argv + 1);
    waitpid(child, &status, 0);
    getrusage(RUSAGE_CHILDREN, &used);
    printf("%ld\n", used.ru_maxrss);
    return status != 0;
}
END
    run_well ./peak "$1"
    peak=$(cat out)
}
expect_names() {
    report "$1"
    expect_calls report called_8 1
    expect_stack report 'called_0<work<main<init'
}
# expect_named_elsewhere: all recordings of `large`, where the program is not.
expect_named_elsewhere() {
    local recordings recording
    recordings=$(ls large_*.vfd | grep -v _all)
    expect_same "$(wc -l <<<"$recordings")" 2 "number of recordings"
    mv large large.away
    for recording in $recordings; do expect_names "$recording"; done
    mv large.away large
}

# Issue: at the end of a program of a million symbols of which ten were called: 127 MB; cost must follow what was called
test_memory_at_the_end_does_not_follow_the_size_of_the_program() {
    local more small
    program 1000 small
    program 300000 large
    for more in '' '"sampling": {"active": true}'; do
        config "$more"
        rm -f -- *.vfd
        peak_of ./small
        small=$peak
        peak_of ./large
        echo "  ${more:-by default}: $small KiB of 1,000 functions, $peak KiB of 300,000"
        expect_at_most "$peak" $((small + 2048)) "KiB of the large program; the small one: $small"
        report large_all.vfd
        expect_stack report 'called_0<work<main<init'
    done
    expect_same "$(ls vftrace_symbols | sed 's/.*-//')" small.sym "files in the store"
    expect_named_elsewhere
}

# Its recordings name themselves, or the store does, whoever wrote it.
test_recordings_of_a_large_program_are_named_where_it_is_not() {
    config '"sampling": {"active": true}'
    program 40000 large
    run_well ./large
    expect_no_file vftrace_symbols
    expect_named_elsewhere
    rm -- *.vfd
    may_be_killed=1 run ./large kill
    "$vftr" recover large_*.tmpvfd >out || fail "vftr recover"
    expect_same "$(ls vftrace_symbols | sed 's/.*-//')" large.sym "files in the store"
    expect_named_elsewhere
    rm -- *.vfd
    run_well ./large
    expect_named_elsewhere
    mv vftrace_symbols away
    mv large large.away
    report large_0.vfd
    expect_no_stack report 'called_0' # the store had them
}

test_a_snapshot_of_a_large_program_is_named_where_it_is_not() {
    config '"sampling": {"active": true}'
    others 40000
    build large.c others.o <<'END'
#include <signal.h>
#include <vftrace.h>
static int leaf(int x) { return x + 1; }
int main(void)
{
    leaf(1);
    return vftrace_snapshot("snapshot.vfd") != 0 || raise(SIGKILL);
}
END
    may_be_killed=1 run ./large
    rm large large_*.tmpvfd
    report snapshot.vfd
    expect_calls report leaf 1
    expect_stack report 'leaf<main<init'
}

run_tests
