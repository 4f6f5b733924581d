/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What sandboxes do to a program: a seccomp filter answers system calls with an error from here on, in all threads. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { These, AllOthers };
/* `which` says whether these calls, a dozen at most, are answered with `error`, or all others. Returns 0; anything else: the kernel takes no filter. */
__attribute__((no_instrument_function)) static int answer_with(int error, int which, const int *calls, int n)
{
    struct sock_filter program[16] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    const struct sock_filter fail = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error), allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    for (int i = 0; i < n; i++) {
        const struct sock_filter is = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], n - i, 0);
        program[1 + i] = is;
    }
    program[1 + n] = which == These ? allow : fail;
    program[2 + n] = which == These ? fail : allow;
    const struct sock_fprog all = {3 + n, program};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &all) != 0;
}
