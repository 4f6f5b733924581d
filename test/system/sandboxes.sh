# SPDX-License-Identifier: BSD-3-Clause
# Programs that shut themselves into a sandbox: a seccomp filter answers system calls with an error.
. "${srcdir:-.}/test/system/lib.sh"

# sandboxed: ./sandboxed few may only read, write and exit from its middle on, ./sandboxed NUMBER anything but that system call.
sandboxed_program() {
    build sandboxed.c -I"$srcdir/test/system/programs" <<'END'
#include "sandbox.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
static int leaf(int x) { return x + 1; }
__attribute__((no_instrument_function)) static int shut_in(const char *how)
{
    if (strcmp(how, "few") == 0)
        return answer_with(EPERM, AllOthers, (int[]){SYS_read, SYS_write, SYS_exit, SYS_exit_group}, 4);
    return answer_with(EPERM, These, (int[]){atoi(how)}, 1);
}
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += leaf(i);
    if (argc != 2 || shut_in(argv[1]))
        _exit(77);
    for (int i = 0; i < 100; i++)
        sum += leaf(i);
    return write(1, "done\n", 5) != 5 || sum == 0;
}
END
}
number_of() { echo "#include <sys/syscall.h>
SYS_$1" | $cc -E -P - | tail -1; }

# Issue: a seccomp filter that answers everything but read, write and exit with EPERM: SIGSEGV at exit
test_a_program_that_may_only_read_and_write_ends_as_without_us() {
    config
    sandboxed_program
    run ./sandboxed few
    [ "$status" != 77 ] || skip "no seccomp filters here"
    [ "$status" = 0 ] || fail "exit code $status: $(cat err)"
    expect_same "$(cat out)" "done" "its output"
    expect_silence # without fstat nobody knows whether descriptor 2 is still what it was
    report sandboxed_*.tmpvfd
    expect_calls report leaf 200
}

# Issue: rt_sigprocmask denied: no log and no message
test_a_program_that_may_not_change_what_signals_it_blocks_has_its_log() {
    local call
    config
    sandboxed_program
    for call in rt_sigprocmask mmap futex rt_sigaction clone getpid madvise; do
        rm -f sandboxed_*
        run ./sandboxed "$(number_of $call)"
        [ "$status" != 77 ] || skip "no seccomp filters here"
        [ "$status" = 0 ] || fail "without $call: exit code $status: $(cat err)"
        expect_same "$(cat out)" "done" "its output without $call"
        expect_calls sandboxed_all.log leaf 200
    done
}

run_tests
