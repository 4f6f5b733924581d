# SPDX-License-Identifier: BSD-3-Clause
# exec does what it does without us: errors, limits, the search for the program, and what the next one inherits.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/header.sh"
. "$srcdir/test/system/processes/execs.sh"

# Acceptance case 4. What the kernel says to bad pointers is what the program sees, and nothing is marked.
test_bad_pointers_give_efault_and_no_mark() { config && with_each_compiler check_bad_pointers; }
check_bad_pointers() {
    build bad.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void leaf(void) {}
static void say(const char *what, int result)
{
    leaf();
    printf("%s: %d %s\n", what, result, strerror(errno));
}
static char *bad = (char *)16;
int main(void)
{
    char *argv[] = {"true", 0}, *bad_argv[] = {"true", bad, 0}, *bad_envp[] = {"A=1", bad, 0}, *envp[] = {0};
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page + 4096, 4096);
    char **endless_list = (char **)(page + 4096) - 1, *endless = page + 4000, *endless_argv[] = {"true", endless, 0};
    endless_list[0] = "true";
    say("list without end", execve("/bin/true", endless_list, envp));
    memset(endless, 'x', 96);
    say("text without end", execve("/bin/true", endless_argv, envp));
    say("path without end", execve(endless, argv, envp));
    say("path", execve(bad, argv, envp));
    say("path null", execve(0, argv, envp));
    say("argv", execve("/bin/true", (char **)bad, envp));
    say("envp", execve("/bin/true", argv, (char **)bad));
    say("in argv", execve("/bin/true", bad_argv, envp));
    say("in envp", execve("/bin/true", argv, bad_envp));
    say("of execvp", execvp("true", bad_argv));
    pid_t pid;
    errno = 0;
    printf("posix_spawn: %s\n", strerror(posix_spawn(&pid, "/bin/true", 0, 0, argv, bad_envp)));
    fflush(stdout);
    return raise(SIGKILL);
}
END
    local file
    may_be_killed=1 run ./bad
    expect_status 137
    mv out recorded
    file=$(only 'bad_*.tmpvfd')
    expect_state "$file" Open
    expect_same "$(end_in "$file")" 0 "end"
    report "$file"
    expect_calls report leaf 10
    rm -f -- *vfd
    VFTR_OFF=1 may_be_killed=1 run ./bad
    diff recorded out || fail "without us the kernel says other things (>)"
    expect_same "$(grep -c 'Bad address' out)" 11 "EFAULT: $(cat out)"
}

# What we add to the environment can make it too large; the program's own, which is not, is taken then.
test_an_environment_as_large_as_the_kernel_takes_is_taken() {
    config
    build full.c <<'END'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int runs(char *value, int size)
{
    char *envp[] = {value, value, value, 0};
    value[size] = 0;
    pid_t child = vfork();
    if (child == 0) {
        execle("/bin/true", "true", (char *)0, envp);
        _exit(errno == E2BIG ? 1 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    value[size] = 'x';
    return status;
}
int main(int argc, char **argv)
{
    int low = 1, high = 131071;
    char *value = memset(malloc(high + 1), 'x', high + 1);
    while (low + 1 < high) {
        int middle = (low + high) / 2, status = runs(value, middle);
        if (status != 0 && WEXITSTATUS(status) != 1)
            return 1;
        *(status == 0 ? &low : &high) = middle;
    }
    printf("%d\n", low);
    value[low] = 0;
    char *envp[] = {value, value, value, 0};
    fflush(stdout);
    if (argc > 1)
        execle("/bin/true", "true", (char *)0, envp);
    return 2;
}
END
    ulimit -s 1024
    VFTR_OFF=1 run ./full
    expect_status 2
    mv out without
    run ./full executes
    expect_status 0
    expect_same "$(cat out)" "$(cat without)" "the largest size"
}

# Acceptance case 15: what the C library's search does, it does.
test_execvp_searches_and_interprets_as_ever() { config && with_each_compiler check_search; }
check_search() {
    linkage=shared
    execs
    mkdir -p first second third
    cp execs first/program
    chmod -x first/program
    cp execs second/program
    printf 'echo "script $0 $1 $2"\n' >third/script
    chmod +x third/script
    local entry
    for linkage in shared static; do
        execs
        for entry in execvp execvpe execlp; do
            run env PATH="$PWD/first:$PWD/second:$PATH" ./execs $entry program 7
            expect_status 3
            expect_calls program_all.log leaf 5
            run env PATH="$PWD/nowhere:$PWD/third:$PATH" ./execs $entry script 7
            expect_status 0
            expect_same "$(cat out)" "script $PWD/third/script done a b" "$entry, $linkage"
            run env PATH="$PWD/first" ./execs $entry program 7
            expect_same "$(cat out)" '-1 Permission denied' "$entry, $linkage"
            run env PATH="$PWD/third:" ./execs $entry execs 7
            expect_status 3
            rm -f -- *vfd *.log
        done
    done
}

# What the next program inherits: the program's own descriptors, environment and working directory, and nothing of ours.
test_nothing_leaks_into_the_next_program() { config && with_each_compiler check_leaks; }
check_leaks() {
    build leaks.c <<'END'
#include <stdlib.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    leaf();
    setenv("OF_THE_PROGRAM", "1", 1);
    if (argc > 1)
        close(0), close(1), close(2);
    execl("/bin/sh", "sh", "-c", argc > 1 ? "ls /proc/self/fd >seen" : "{ ls /proc/self/fd; env | grep -v ^VFTR_; } >seen", (char *)0);
    return 1;
}
END
    local arguments
    for arguments in '' closed; do
        # shellcheck disable=SC2086
        run ./leaks $arguments
        expect_state "$(only 'leaks_*.tmpvfd')" Executed
        grep -v '^_=' seen | sort >recorded
        # shellcheck disable=SC2086
        VFTR_OFF=1 run ./leaks $arguments
        grep -v '^_=' seen | sort | diff recorded - || fail "without us (>) the next program sees other things"
        rm -f -- *vfd
    done
}

# Acceptance case 12
test_exec_goes_on_where_nothing_can_be_written() {
    config
    execs
    local program=$PWD/execs log=$PWD
    cd /proc/self || skip "cannot enter /proc/self"
    "$program" execv - 3 >"$log/out" 2>"$log/err"
    status=$?
    "$program" execv /nonexistent 3 >"$log/out2" 2>"$log/err2"
    expect_same $? 4 "exit code where the exec fails"
    cd "$log" || fail "cannot go back"
    expect_status 3
    expect_same "$(cat out)" 'done a b 3' "output"
    expect_same "$(cat out2)" '-1 No such file or directory' "output where the exec fails"
    expect_same "$(grep -c vftrace: err)" 2 "warnings, one of each program: $(cat err)"
}

run_tests
