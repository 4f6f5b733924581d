# SPDX-License-Identifier: BSD-3-Clause
# What threads share while they record.
. "${srcdir:-.}/test/system/lib.sh"

# instructions_of LIBRARY FUNCTION…: the machine code of these functions.
instructions_of() {
    local library=$1 function
    shift
    for function in "$@"; do
        objdump -d --no-show-raw-insn --disassemble="$function" "$library" | grep -E '^ *[0-9a-f]+:' >code
        [ -s code ] || fail "no code of $function"
        cat code
    done
}

# Issue: 8 threads on 2 cores, all in hooks: no lock in a profile of the hook. The hooks' plain path is in the two functions themselves:
# no instruction of theirs locks the bus, waits, or calls something that might. (A profile shows instructions that ran; here none can.)
test_the_hooks_have_no_locked_instruction() {
    have objdump || skip "no objdump"
    [ "$(uname -m)" = x86_64 ] || skip "looks for x86 instructions"
    local library=$builddir/libvftrace.so hooks='__cyg_profile_func_enter __cyg_profile_func_exit'
    # shellcheck disable=SC2086
    instructions_of "$library" $hooks >all
    ! grep -E '\block\b|\bxchg .*\(|pause|syscall|[lms]fence' all || fail "locks in the hooks"
    # The test can fail: what pauses all threads does lock.
    objdump -d --no-show-raw-insn "$library" | grep -qE '\block\b|\bxchg .*\(' || fail "no locked instruction is found anywhere"
}

# The same, of the whole path: while eight threads do nothing but call hooks, none of them waits for another.
test_eight_threads_in_hooks_never_wait_for_each_other() {
    have strace || skip "no strace"
    config
    build eight.c -O1 <<'SOURCE'
#include <pthread.h>
#include <unistd.h>
static pthread_barrier_t all;
static __attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
static __attribute__((noinline)) void node(void) { leaf(); __asm__ volatile(""); }
__attribute__((no_instrument_function)) static void *work(void *argument)
{
    node();
    pthread_barrier_wait(&all);
    pthread_barrier_wait(&all);
    for (int i = 0; i < 20000; i++)
        node();
    pthread_barrier_wait(&all);
    return argument;
}
int main(void)
{
    pthread_t threads[8];
    pthread_barrier_init(&all, 0, 9);
    for (int i = 0; i < 8; i++)
        if (pthread_create(&threads[i], 0, work, 0))
            return 1;
    pthread_barrier_wait(&all);
    if (write(1, "begun\n", 6) != 6)
        return 2;
    pthread_barrier_wait(&all);
    pthread_barrier_wait(&all);
    if (write(1, "over\n", 5) != 5)
        return 3;
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    return 0;
}
SOURCE
    strace -f -o calls -e trace=futex,sched_yield,nanosleep,clock_nanosleep,poll,write ./eight >out 2>err || skip "strace cannot trace here: $(head -2 err)"
    expect_calls eight_all.log leaf 160008
    sed -n '/begun/,/over/p' calls >between
    expect_at_least "$(grep -c write between)" 2 "system calls that are seen"
    # Those of the two barriers: nine threads wait in each, and are woken. 320000 hooks with a lock would have thousands.
    expect_at_most "$(grep -c futex between)" 100 "times that a thread waited"
    expect_same "$(grep -c -E 'sched_yield|sleep|poll' between)" 0 "times that a lock was not free"
}

run_tests
