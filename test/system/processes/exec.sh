# SPDX-License-Identifier: BSD-3-Clause
# exec: the recording up to it is kept, the next program is recorded, and a failed exec leaves no trace.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/header.sh"

# execs ENTRY PROGRAM CALLS: calls leaf CALLS times, then executes `PROGRAM done`; where that fails it tells errno and calls
# leaf once more. PROGRAM "-" is itself. "execs done" calls leaf five times and prints what it was given.
execs() {
    build execs.c "$@" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
extern char **environ;
static void leaf(void) {}
static void leaves(int n)
{
    for (int i = 0; i < n; i++)
        leaf();
}
static int by(const char *entry, const char *path)
{
    char *argv[] = {"execs", "done", "a b", 0};
    if (!strcmp(entry, "execve")) return execve(path, argv, environ);
    if (!strcmp(entry, "execv")) return execv(path, argv);
    if (!strcmp(entry, "execvp")) return execvp(path, argv);
    if (!strcmp(entry, "execvpe")) return execvpe(path, argv, environ);
    if (!strcmp(entry, "execl")) return execl(path, "execs", "done", "a b", (char *)0);
    if (!strcmp(entry, "execlp")) return execlp(path, "execs", "done", "a b", (char *)0);
    if (!strcmp(entry, "execle")) return execle(path, "execs", "done", "a b", (char *)0, environ);
    if (!strcmp(entry, "fexecve")) return fexecve(open(path, O_RDONLY | O_CLOEXEC), argv, environ);
    if (!strcmp(entry, "execveat")) return syscall(SYS_execveat, AT_FDCWD, path, argv, environ, 0);
    if (!strcmp(entry, "syscall")) return syscall(SYS_execve, path, argv, environ);
    return -2;
}
int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "done")) {
        leaves(5);
        printf("done %s %d\n", argv[2], argc);
        return 3;
    }
    char self[4096] = {0};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    leaves(atoi(argv[3]));
    errno = 77;
    int result = by(argv[1], strcmp(argv[2], "-") ? argv[2] : self);
    printf("%d %s\n", result, strerror(errno));
    leaf();
    return 4;
}
END
}
entries='execve execv execvp execvpe execl execlp execle fexecve execveat syscall'

# Acceptance case 1 and 14
test_the_calls_before_an_exec_and_after_it_are_in_two_files() { config && with_each_compiler check_two_files; }
check_two_files() {
    local entry first
    for linkage in shared archive static; do
        execs
        for entry in $entries; do
            run ./execs "$entry" - 123
            expect_status 3
            expect_silence
            expect_same "$(cat out)" 'done a b 3' "output of $entry, $linkage"
            first=$(only 'execs_*.tmpvfd')
            expect_state "$first" Executed
            [ "$(end_in "$first")" != 0 ] || fail "$first has no end"
            report "$first"
            expect_calls report leaf 123
            expect_stack report 'leaf<leaves<main<init'
            expect_calls execs_all.log leaf 5
            rm -f -- *vfd *.log
        done
    done
}

# Acceptance case 3
test_a_failed_exec_keeps_errno_and_the_recording_goes_on() { config && with_each_compiler check_failed_exec; }
check_failed_exec() {
    local entry want
    for linkage in shared static; do
        execs
        for entry in $entries; do
            run ./execs "$entry" /nonexistent 10
            want='No such file or directory'
            [ $entry != fexecve ] || want='Invalid argument'
            expect_status 4
            expect_silence
            expect_same "$(cat out)" "-1 $want" "$entry, $linkage"
            expect_calls execs_all.log leaf 11
            expect_same "$(ls -m ./*vfd)" ./execs_all.vfd "files of $entry"
            rm -f -- *vfd *.log
        done
    done
}

# Acceptance case 2
test_an_exec_before_any_other_call_leaves_a_valid_file() {
    config
    execs
    build at_once.c <<'END'
#include <unistd.h>
int main(void) { return execl("./execs", "execs", "done", "nothing", (char *)0); }
END
    run ./at_once
    expect_status 3
    report at_once_*.tmpvfd
    expect_same "$(grouped_counts report | cut -f2 | grep -vE '^(init|----)$' | xargs)" main "functions"
    rm -f -- *vfd *.log
    # Without a single call: an empty one.
    instrument= build never.c <<'END'
#include <unistd.h>
int main(void) { return execl("./execs", "execs", "done", "nothing", (char *)0); }
END
    run ./never
    expect_status 3
    expect_calls execs_all.log leaf 5
    report never_*.tmpvfd
    expect_same "$(grouped_counts report | cut -f2 | grep -vE '^(init|----)$' | xargs)" "" "functions"
    expect_same "$(parent_pid_in execs_all.vfd)" "$(pid_in never_*.tmpvfd)" "the program before"
    # Not for a program that is only preloaded.
    rm -f -- *vfd *.log
    linkage=none instrument= build never <never.c
    LD_PRELOAD=$builddir/libvftrace.so run ./never
    expect_status 3
    expect_calls execs_all.log leaf 5
    expect_same "$(ls -m never_* 2>&1 | grep -c vfd)" 0 "files of a program that is only preloaded"
}

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

# Acceptance case 9 and 10
test_vfork_and_exec_leave_the_parent_as_it_was() { config && with_each_compiler check_vfork; }
check_vfork() {
    for linkage in shared static; do
        execs
        build vforks.c <<'END'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static int child(const char *program, char **envp)
{
    int status = 0;
    leaf();
    pid_t pid = vfork();
    if (pid == 0) {
        execle(program, "execs", "done", "child", (char *)0, envp);
        _exit(errno);
    }
    leaf();
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
int main(void)
{
    char *few[] = {"A=1", 0}, **many = calloc(33001, sizeof *many);
    for (int i = 0; i < 33000; i++)
        many[i] = "VARIABLE=of many";
    leaf();
    int found = child("./execs", few), missing = child("./nothing", few), large = child("./execs", many);
    leaf();
    printf("%d %d %d\n", found, missing, large);
    return 0;
}
END
        run_well ./vforks
        expect_same "$(tail -n 1 out)" '3 2 3' "exit codes, $linkage"
        expect_calls vforks_all.log leaf 8
        expect_calls vforks_all.log child 3
        expect_same "$(ls -m vforks_*vfd)" vforks_all.vfd "files of the parent"
        rm -f -- *vfd *.log
    done
}

# A child by clone that shares the memory, on a small stack of its own; one that shares it and is not waited for; and one that does not.
test_children_by_clone_leave_the_parent_as_it_was() { config && with_each_compiler check_clone; }
check_clone() {
    execs
    build clones.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define QUIET __attribute__((no_instrument_function))
static void leaf(void) {}
static int child(void *program) QUIET;
static int child(void *program)
{
    execl(program, "execs", "done", "cloned", (char *)0);
    _exit(8);
}
static int by_clone(int flags, char *program)
{
    static char stacks[32][24576];
    static int next;
    int status = 0;
    pid_t pid = clone(child, stacks[next++] + 24576, flags | SIGCHLD, program);
    leaf();
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
static int by_system_call(char *program)
{
    int status = 0;
    leaf();
    pid_t pid = syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    if (pid == 0)
        child(program);
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
int main(void)
{
    const int flags[] = {CLONE_VM | CLONE_VFORK, CLONE_VM, 0};
    for (int i = 0; i < 3; i++)
        printf("%d %d ", by_clone(flags[i], "./execs"), by_clone(flags[i], "./nothing"));
    printf("%d %d\n", by_system_call("./execs"), by_system_call("./nothing"));
    leaf();
    return 0;
}
END
    run_well ./clones
    expect_same "$(tail -n 1 out)" '3 8 3 8 3 8 3 8' "exit codes"
    expect_calls clones_all.log leaf 9
    expect_calls clones_all.log by_clone 6
    expect_calls clones_all.log by_system_call 2
    expect_same "$(ls clones_*.tmpvfd 2>/dev/null | wc -l)" 0 "files that are left"
    rm -f -- *vfd *.log
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

# Acceptance case 16
test_three_programs_of_one_process_have_three_files() {
    config
    build chain.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    for (int i = 0; i <= n; i++)
        leaf();
    char text[20];
    sprintf(text, "%d", n - 1);
    if (n > 0)
        execl(argv[0], argv[0], text, (char *)0);
    return argc != 2;
}
END
    run_well ./chain 2
    local first second file calls generation
    set -- chain_*.tmpvfd
    expect_same $# 2 "number of working files"
    first=$2 second=$1 # chain_<pid>.1.tmpvfd sorts before chain_<pid>.tmpvfd
    expect_same "$(pid_in "$first")" "$(pid_in "$second")" "pid"
    for file in "$first:3:0" "$second:2:1"; do
        IFS=: read -r file calls generation <<<"$file"
        report "$file"
        expect_calls report leaf "$calls"
        expect_state "$file" Executed
        expect_same "$(generation_in "$file")" "$generation" "generation of $file"
    done
    expect_calls chain_all.log leaf 1
}

# Acceptance case 17
test_exec_in_a_signal_handler_that_interrupts_anything() { config && with_each_compiler check_in_handler; }
check_in_handler() {
    execs
    build handler.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static volatile unsigned long calls;
static void leaf(void) { calls++; }
static void on_alarm(int sig)
{
    leaf();
    execl("./nothing", "nothing", (char *)0);
    execl("./execs", "execs", "done", "of handler", (char *)0);
    _exit(sig);
}
int main(int argc, char **argv)
{
    static char stack[16384];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = argc > 2 ? SA_ONSTACK : 0};
    struct itimerval timer = {.it_value = {0, atoi(argv[1])}};
    sigaltstack(&other, 0);
    sigaction(SIGALRM, &action, 0);
    leaf();
    setitimer(ITIMER_REAL, &timer, 0);
    for (;;)
        leaf();
}
END
    local moment file
    for moment in 300 1777 4001 7003 9011; do
        # shellcheck disable=SC2086
        run ./handler $moment $([ $((moment % 2)) = 0 ] || echo alternate)
        expect_status 3
        expect_silence
        file=$(only 'handler_*.tmpvfd')
        expect_state "$file" Executed
        report "$file"
        expect_at_least "$(calls_of report leaf)" 1 "calls of leaf"
        expect_calls execs_all.log leaf 5
        rm -f -- *vfd *.log
    done
}

test_exec_while_other_threads_record() { config && with_each_compiler check_threads; }
check_threads() {
    execs
    build threads.c <<'END'
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int ready;
static void leaf(void) {}
static void *works(void *unused)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    ready++;
    for (;;)
        leaf();
    return unused;
}
static void *fails(void *unused)
{
    for (int i = 0; i < 300; i++) {
        execl("./nothing", "nothing", (char *)0);
        if (errno != ENOENT)
            abort();
    }
    ready++;
    return unused;
}
static void *executes(void *unused)
{
    execl("./execs", "execs", "done", "of a thread", (char *)0);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t thread[5];
    for (int i = 0; i < 4; i++)
        pthread_create(thread + i, 0, i % 2 ? works : fails, 0);
    while (ready < 4)
        usleep(1000);
    if (argc > 1)
        pthread_create(thread + 4, 0, executes, 0);
    else
        executes(argv);
    pause();
}
END
    local from file
    for from in '' thread; do
        # shellcheck disable=SC2086
        run ./threads $from
        expect_status 3
        expect_silence
        file=$(only 'threads_*.tmpvfd')
        expect_state "$file" Executed
        report "$file"
        expect_at_least "$(calls_of report leaf)" 2000 "calls of leaf"
        expect_calls report works 2
        expect_calls report fails 2
        rm -f -- *vfd *.log
    done
}

test_the_time_of_a_pause_before_an_exec_is_no_functions() {
    config
    execs
    build paused.c <<'END'
#include <errno.h>
#include <unistd.h>
#include <vftrace.h>
static void leaf(void) {}
static void works(void)
{
    leaf();
    vftrace_pause();
    leaf();
    execl("./nothing", "nothing", (char *)0);
    usleep(300000);
    execl("./execs", "execs", "done", "paused", (char *)0);
}
int main(void) { works(); }
END
    run ./paused
    expect_status 3
    report "$(only 'paused_*.tmpvfd')"
    expect_calls report leaf 1
    # Exclusive time is the fourth column from the end of the table by function; the pause has it all.
    grouped_times report >times
    awk '$1 == "works" { works = $2 } $1 == "vftrace_pause" { pause = $2 } END { exit !(pause >= 0.3 && works < pause / 10) }' times ||
        fail "times: $(cat times)"
}
grouped_times() {
    awk -F'|' '/Grouped by function name/ { on = 1 } on && NF > 5 { gsub(/ /, ""); print $6, $4 }' "$1"
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

# _exit and _Exit
test__exit_gives_the_recording_its_end_and_the_status() { config && with_each_compiler check_exit; }
check_exit() {
    build ends.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    int status = 0;
    leaf();
    if (argc == 1)
        _exit(300);
    if (argc == 2)
        _Exit(7);
    pid_t child = vfork();
    if (child == 0)
        _exit(9);
    waitpid(child, &status, 0);
    leaf();
    return WEXITSTATUS(status) + atoi(argv[1]);
}
END
    local file linkage
    for linkage in shared static; do
        for how in :44 'a:7'; do
            # shellcheck disable=SC2086
            run ./ends ${how%:*}
            expect_status "${how#*:}"
            expect_silence
            file=$(only 'ends_*.tmpvfd')
            expect_state "$file" Exited
            expect_same "$(exit_status_in "$file")" "${how#*:}" "status in $file"
            expect_same $(($(flags "$file") & 256)) 256 "flag of the status"
            report "$file"
            expect_calls report leaf 1
            rm -f -- *vfd
        done
        run ./ends 1 vfork
        expect_status 10
        expect_calls ends_all.log leaf 2
        rm -f -- *vfd *.log
    done
}

run_tests
