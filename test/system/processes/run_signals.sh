# SPDX-License-Identifier: BSD-3-Clause
# vftr run: signals reach the command as without us.
. "${srcdir:-.}/test/system/lib.sh"

linkage=none

test_signals_reach_the_command_as_without_us() {
    config
    instrument= build signals.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    sigset_t mask, all;
    struct sigaction action;
    sigprocmask(SIG_BLOCK, 0, &mask);
    for (int sig = 1; sig < 32; sig++) {
        sigaction(sig, 0, &action);
        printf("%d %d %d\n", sig, action.sa_handler == SIG_IGN, sigismember(&mask, sig));
    }
    printf("%d %d %d\n", getpgrp() == getpgid(getppid()), isatty(0), getsid(0) == getsid(getppid()));
    for (int i = 0; i < 100; i++)
        if (dup(i) >= 0)
            printf("%d ", i);
    (void)all;
    return 0;
}
END
    for trapped in '' 'INT QUIT' 'TERM HUP CHLD USR1'; do
        # shellcheck disable=SC2086
        (for s in $trapped; do trap '' $s; done && ./signals >plain 2>&1 </dev/null)
        # shellcheck disable=SC2086
        (for s in $trapped; do trap '' $s; done && "$vftr" run -q -- ./signals >ours 2>&1 </dev/null)
        cmp plain ours || fail "with '$trapped' ignored: $(diff plain ours)"
    done
}

# The command says which signals it got; the last line is "end".
listener() {
    instrument= build listener.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t got;
static void handler(int sig) { got = sig; }
int main(int argc, char **argv)
{
    (void)argv;
    struct sigaction action = {.sa_handler = handler};
    sigset_t some, none;
    sigemptyset(&some);
    sigemptyset(&none);
    int signals[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT};
    for (int i = 0; i < 6; i++) {
        sigaction(signals[i], &action, 0);
        sigaddset(&some, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &some, 0);
    printf("pid %d\n", getpid());
    fflush(stdout);
    while (got != SIGTERM || argc > 1) {
        got = 0;
        sigsuspend(&none);
        printf("got %d\n", got);
        fflush(stdout);
        if (argc > 1 && got == SIGINT)
            break;
    }
    return 3;
}
END
}
wait_for_line() {
    local i
    for ((i = 0; i < 500; i++)); do
        ! grep -qx "$1" out || return 0
        sleep 0.02
    done
    fail "the command did not say '$1': $(cat out)"
}

test_signals_for_us_are_passed_on() {
    listener
    env --default-signal=HUP "$vftr" run -q -- ./listener >out 2>err & # a test under nohup ignores it
    local ours=$!
    wait_for_line 'pid .*'
    for signal in 1 10 12 15; do
        kill -$signal $ours
        wait_for_line "got $signal"
    done
    status=0
    wait $ours || status=$?
    expect_status 3
}

test_ctrl_c_reaches_both_and_the_command_decides() {
    listener
    # Background commands of a shell ignore SIGINT; a process group of its own is what a terminal sends it to.
    instrument= build group.c <<'END'
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    (void)argc;
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    setpgid(0, 0);
    execvp(argv[1], argv + 1);
    return 99;
}
END
    ./group "$vftr" run -q -- ./listener until_interrupted >out 2>err &
    local ours=$!
    wait_for_line 'pid .*'
    kill -QUIT -- -$ours
    wait_for_line 'got 3'
    kill -INT -- -$ours
    status=0
    wait $ours || status=$?
    wait_for_line 'got 2'
    expect_status 3
}

run_tests
