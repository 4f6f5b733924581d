# SPDX-License-Identifier: BSD-3-Clause
# Programs that shut themselves into a sandbox: a seccomp filter answers system calls with an error.
. "${srcdir:-.}/test/system/lib.sh"

# sandboxed: ./sandboxed few may only read, write and exit from its middle on, ./sandboxed NUMBER anything but that system call.
sandboxed_program() {
    build sandboxed.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static int leaf(int x) { return x + 1; }
__attribute__((no_instrument_function)) static int shut_in(const char *how)
{
    static const int few[] = {SYS_read, SYS_write, SYS_exit, SYS_exit_group};
    const int only = strcmp(how, "few") == 0, denied = atoi(how), n = only ? 4 : 1;
    struct sock_filter program[10] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    for (int i = 0; i < n; i++) {
        struct sock_filter is = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, only ? few[i] : denied, n - i, 0);
        program[1 + i] = is;
    }
    struct sock_filter error = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[1 + n] = only ? error : allow;
    program[2 + n] = only ? allow : error;
    struct sock_fprog all = {3 + n, program};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
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
