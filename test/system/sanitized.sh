# SPDX-License-Identifier: BSD-3-Clause
# The library under sanitizers: whole runs of programs, from the first hook to the written log, without a report.
# Only in builds with --enable-sanitizers, which run it in place of the other system tests.
. "${srcdir:-.}/test/system/lib.sh"

[ -n "${SANITIZER_FLAGS:-}" ] || exit 77
# libelf and cJSON may keep memory to the end; what we leak would show up here too.
export ASAN_OPTIONS=detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export TSAN_OPTIONS=halt_on_error=1

# sanitized SOURCE NAME [FLAGS…]
sanitized() {
    local compiler=$cc source=$1 name=$2
    shift 2
    case $source in *.cpp) compiler=$cxx ;; esac
    # shellcheck disable=SC2086,SC2046
    $compiler -g -O1 -finstrument-functions $SANITIZER_FLAGS -I"$srcdir/include" -pthread "$source" -o "$name" \
        "$@" $(link_flags) 2>build.err || fail "$(cat build.err)"
}
expect_no_report() {
    [ "$status" = 0 ] || fail "exit code $status: $(grep -m3 -A12 -E 'SUMMARY|ERROR|runtime error' err || head -20 err)"
    ! grep -qE 'Sanitizer|runtime error' err || fail "$(head -40 err)"
}

test_a_serial_program() {
    config
    sanitized "$srcdir/examples/heat.c" heat -lm
    run ./heat
    expect_no_report
    expect_calls heat_all.log relax 400
    run "$vftr" report heat_all.vfd
    expect_no_report
}

test_a_program_with_every_event_recorded() {
    config '"sampling": {"active": true, "sample_interval": 0}, "mpi": {"show_table": true}'
    sanitized "$srcdir/examples/heat.c" heat -lm
    run ./heat
    expect_no_report
    expect_file heat_0.vfd
    run "$vftr" report heat_0.vfd
    expect_no_report
}

test_containers_of_a_cxx_program() {
    config
    sanitized "$srcdir/examples/cpp_containers.cpp" containers
    run ./containers
    expect_no_report
    expect_file containers_all.log
}

test_threads_that_come_and_go() {
    config
    cat >threads.c <<'END'
#include <pthread.h>
#include <vftrace.h>
static int leaf(int n) { return n + 1; }
static void *work(void *unused)
{
    vftrace_region_begin("work");
    for (int i = 0, n = 0; i < 2000; i++)
        n = leaf(n);
    vftrace_region_end("work");
    return unused;
}
int main(void)
{
    pthread_t threads[8];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 8; i++)
            if (pthread_create(&threads[i], 0, work, 0))
                return 1;
        vftrace_pause();
        vftrace_resume();
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], 0);
    }
    return 0;
}
END
    sanitized threads.c threads
    run ./threads
    expect_no_report
    expect_file threads_all.log
}

run_tests
