# SPDX-License-Identifier: BSD-3-Clause
# Forked children: their own recording goes on under the call path of the fork, and nothing of the parent's is touched.
. "${srcdir:-.}/test/system/lib.sh"
. "${srcdir:-.}/test/system/processes/header.sh"

# The only recording (or log, …) of a child of PROGRAM: child_of PROGRAM SUFFIX.
child_of() {
    local found
    found=$(ls | grep -E "^$1_[0-9]+$2\$" | grep -v "^$1_0\.") # that is the timeline of the parent
    [ "$(wc -w <<<"$found")" = 1 ] || fail "not one $1_<pid>$2: $(ls -m)"
    echo "$found"
}

forks_within_functions() {
    build within.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
#include <vftrace.h>
static void in_child(void) {}
static void after(void) {}
static int my_fork(void) { return fork(); }
static void work(int n)
{
    if (n > 0) {
        work(n - 1);
        return;
    }
    vftrace_region_begin("forking");
    pid_t child = my_fork();
    if (child == 0)
        in_child();
    else
        waitpid(child, 0, 0);
    vftrace_region_end("forking");
}
int main(void)
{
    work(3);
    after();
    return 0;
}
END
}

# Children of fork, and of raw clone
test_a_childs_calls_stand_under_its_parents_path_which_is_not_counted_again() {
    local log
    config
    with_each_compiler check_path_of_child
}
check_path_of_child() {
    for linkage in shared static; do
        forks_within_functions
        run_well ./within
        expect_calls within_all.log work 4
        expect_calls within_all.log after 1
        expect_calls within_all.log in_child 0
        [ $linkage != static ] || report "$(child_of within .vfd)"
        [ $linkage = static ] || cp "$(child_of within _all.log)" report
        expect_stack report 'in_child<forking<work<main<init'
        expect_stack report 'after<main<init'
        expect_no_stack report 'my_fork<.*<my_fork'
        expect_calls report work 0
        expect_calls report main 0
        expect_calls report forking 0
        expect_calls report in_child 1
        expect_calls report after 1
        ! grep -q 'never returned\|unmatched' report || fail "a leave did not match: $(grep -n 'never returned\|unmatched' report)"
        rm -f -- *.vfd *.log
    done
}

test_the_path_is_in_the_childs_timeline() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    forks_within_functions
    run_well ./within
    "$vftr" dump "$(child_of within .vfd)" >dumped || fail "vftr dump"
    # Every function of the path is entered and left, in order; my_fork has returned before the first call.
    grep -oE '(call|exit) +[a-z_]+' dumped | tr -s ' ' >events || true
    [ -s events ] || fail "no events: $(cat dumped)"
    grep -qx 'call in_child' events || fail "in_child is not there: $(cat dumped)"
    expect_same "$(grep -c '^exit work$' events)" 4 "returns from work"
    expect_same "$(grep -c '^call work$' events)" 4 "entries of work"
    expect_same "$(tail -1 events)" 'exit main' "the last event"
}

# Times count from the fork: what the parent did before is not in the child.
test_the_childs_time_is_that_since_the_fork() {
    config
    build since.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void in_child(void) { usleep(20000); }
static void before(void) { usleep(600000); }
int main(void)
{
    before();
    pid_t child = fork();
    if (child == 0)
        in_child();
    else
        waitpid(child, 0, 0);
    return 0;
}
END
    run_well ./since
    # The parent's has what it did before and then the whole of the child's.
    awk '/^Total runtime:/ { time[++n] = $3 } END { exit !(n == 2 && time[1] > 0 && time[1] <= time[2] - 0.5) }' "$(child_of since _all.log)" since_all.log ||
        fail "the child's runtime and the parent's: $(grep -h runtime: "$(child_of since _all.log)" since_all.log)"
}

test_a_child_returns_from_deep_recursion() {
    config
    build deep.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void in_child(void) {}
static void after(void) {}
static void other(int n, int forks);
static void deep(int n, int forks)
{
    if (n > 0) {
        other(n - 1, forks);
        return;
    }
    pid_t child = fork();
    if (child == 0)
        in_child();
    else
        waitpid(child, 0, 0);
}
static void other(int n, int forks) { deep(n, forks); }
int main(int argc, char **argv)
{
    deep(argc > 1 ? atoi(argv[1]) : 1, 1);
    after();
    return 0;
}
END
    local depth log
    for depth in 100 1500 50000; do
        run_well ./deep $depth
        log=$(child_of deep _all.log)
        expect_calls "$log" in_child 1
        expect_calls "$log" after 1
        expect_calls "$log" deep 0
        # Frames beyond the 4096 innermost ones are not inherited: their leaves match nothing. The functions on the path are there.
        [ $depth = 50000 ] || expect_stack "$log" 'after<main<init'
        stacks_of "$log" | grep -q '^in_child<deep<other<.*<main<init$' || fail "depth $depth: the path is lost"
        rm -f -- *.log *.vfd
    done
}

# The child of a child that recorded nothing descends from the recording of their common ancestor.
test_a_grandchild_descends_from_the_recording_before() {
    config
    build silent.c -fno-inline <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void in_grandchild(void) {}
__attribute__((no_instrument_function)) static void middle(void)
{
    pid_t child = fork();
    if (child != 0) {
        waitpid(child, 0, 0);
        _exit(0);
    }
}
static void outer(void)
{
    pid_t child = fork();
    if (child != 0) {
        waitpid(child, 0, 0);
        return;
    }
    middle();
    in_grandchild();
}
int main(void)
{
    outer();
    return 0;
}
END
    run_well ./silent
    local file
    file=$(child_of silent '.vfd')
    report "$file"
    expect_stack report 'in_grandchild<outer<main<init'
    # The id of the parent: its pid and start are in the header of the parent's result.
    expect_same $(($(flags "$file") & 1026)) 1026 "flags forked and followed"
    expect_same "$(parent_pid_in "$file")" "$(pid_in silent_all.vfd)" "pid of the recording before"
    expect_same "$(parent_start_in "$file")" "$(start_in silent_all.vfd)" "start of the recording before"
}

# A raw fork that nobody announced begins empty, with whatever the child does itself.
test_a_fork_by_inline_system_call_begins_with_an_empty_path() {
    config
    build raw.c <<'END'
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void in_child(void) {}
static void announced(void)
{
    pid_t child = fork(); // its path is not that of the raw fork later
    if (child == 0)
        _exit(0);
    waitpid(child, 0, 0);
}
static long raw_fork(void)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"((long)SYS_fork) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_clone, first __asm__("x0") = 17, b __asm__("x1") = 0, c __asm__("x2") = 0,
        d __asm__("x3") = 0, e __asm__("x4") = 0;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(b), "r"(c), "r"(d), "r"(e) : "memory");
    return first;
#else
    return -1;
#endif
}
int main(void)
{
    announced();
    long child = raw_fork();
    if (child < 0)
        return 77;
    if (child == 0) {
        in_child();
        return 0;
    }
    waitpid(child, 0, 0);
    return 0;
}
END
    run ./raw
    [ $status != 77 ] || skip "no raw fork on this machine"
    expect_stack "$(child_of raw _all.log)" 'in_child<init'
}

# A fork in a thread: its path is the thread's.
test_a_child_of_a_thread_has_the_threads_path() {
    config
    build threaded.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void in_child(void) {}
static void *in_thread(void *unused)
{
    pid_t child = fork();
    if (child == 0) {
        in_child();
        return unused;
    }
    waitpid(child, 0, 0);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, in_thread, 0);
    pthread_join(thread, 0);
    return 0;
}
END
    run_well ./threaded
    expect_stack "$(child_of threaded _all.log)" 'in_child<in_thread<init'
    expect_no_stack "$(child_of threaded _all.log)" '<main'
}

# What handlers of fork do is recorded where it happens.
test_instrumented_handlers_of_fork_are_recorded() {
    config
    build atfork.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void before(void) {}
static void in_parent(void) {}
static void in_child(void) {}
__attribute__((constructor)) static void early(void) { pthread_atfork(before, in_parent, in_child); }
int main(void)
{
    pthread_atfork(before, in_parent, in_child);
    pid_t child = fork();
    if (child != 0)
        waitpid(child, 0, 0);
    return 0;
}
END
    run_well ./atfork
    expect_calls atfork_all.log before 2
    expect_calls atfork_all.log in_parent 2
    expect_calls atfork_all.log in_child 0
    local log
    log=$(child_of atfork _all.log)
    expect_stack "$log" 'in_child<main<init'
    expect_calls "$log" in_child 2
    expect_calls "$log" before 0
}

test_a_region_that_is_open_at_a_fork_and_after_its_function_counts_once() {
    config
    build open.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
#include <vftrace.h>
static void leaf(void) {}
static void f(int depth)
{
    vftrace_region_begin("open");
    if (depth > 0)
        f(depth - 1);
    else if (fork() == 0) {
        leaf();
        return;
    } else
        wait(0);
    vftrace_region_end("open");
}
int main(void)
{
    f(2);
    return 0;
}
END
    run_well ./open
    expect_calls open_all.log open 3
    expect_calls open_[0-9]*_all.log open 0
    expect_calls open_[0-9]*_all.log leaf 1
    # Per call path, too: not one more here and one less there.
    ! grep -E '[0-9]{12}' open_[0-9]*_all.log || fail "calls of the parent are taken from the child's"
}

run_tests
