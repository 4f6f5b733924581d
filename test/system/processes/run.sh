# SPDX-License-Identifier: BSD-3-Clause
# vftr run: any command with the library preloaded; nothing else of it changes.
. "${srcdir:-.}/test/system/lib.sh"

linkage=none

program() {
    build program.c "$@" <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    char line[100];
    for (int i = 0; i < 7; i++)
        leaf();
    if (argc > 1 && !strcmp(argv[1], "exit"))
        return atoi(argv[2]);
    if (argc > 1 && !strcmp(argv[1], "die"))
        raise(atoi(argv[2]));
    while (argc > 1 && !strcmp(argv[1], "copy") && fgets(line, sizeof line, stdin))
        fputs(line, stdout);
    fputs("to stderr\n", stderr);
    return 0;
}
END
}

preloaded() {
    config
    program
    run "$vftr" run -- ./program
    expect_status 0
    expect_same "$(cat out)" "" "the program's output"
    grep -qx 'to stderr' err || fail "the program's stderr is not there"
    expect_calls program_all.log leaf 7
    grep -q program err || fail "no summary: $(cat err)"
    rm -f -- *.log *vfd
}
test_an_instrumented_program_that_is_not_linked_is_recorded() { with_each_compiler preloaded; }

test_output_goes_through_and_the_summary_to_stderr_or_a_file() {
    config
    program
    printf 'one\ntwo\n' >in
    run "$vftr" run --summary=sum -- ./program copy <in
    cmp in out || fail "stdout differs"
    expect_same "$(cat err)" 'to stderr' stderr
    grep -q program sum || fail "no summary in its file: $(cat sum)"
    run "$vftr" run --quiet ./program copy <in
    expect_same "$(cat err)" 'to stderr' "stderr with --quiet"
    run "$vftr" run --summary=no/such/file ./program
    expect_status 2
    grep -q 'no/such/file' err || fail "$(cat err)"
}

test_the_exit_code_is_the_commands() {
    config
    program
    for code in 0 1 2 77 126 127 255; do
        run "$vftr" run -q -- ./program exit $code
        expect_status $code
    done
    for signal in 9 15 11 2; do
        may_be_killed=1 run "$vftr" run -q ./program die $signal
        expect_status $((128 + signal))
        expect_said_once "vftr run: ./program was ended by signal $signal"
    done
    run "$vftr" run ./absent
    expect_status 127
    expect_same "$(cat err)" 'vftr run: ./absent: command not found' stderr
    run "$vftr" run absent_command
    expect_status 127
    mkdir closed
    chmod 0 closed
    PATH=$PWD/closed:$PATH run "$vftr" run absent_command
    expect_status 127
    chmod 700 closed
    : >closed/not_executable
    PATH=$PWD/closed:$PATH run "$vftr" run not_executable
    expect_status 126
    echo text >file
    run "$vftr" run ./file
    expect_status 126
    expect_same "$(cat err)" 'vftr run: ./file: Permission denied' stderr
}

test_wrong_usage_is_2_and_nothing_starts() {
    for arguments in '' '--no-such ./x' '-o'; do
        # shellcheck disable=SC2086
        run "$vftr" run $arguments
        expect_status 2
    done
    echo '{"sampling": {"active": 3}}' >bad.json
    run "$vftr" run -c bad.json -- touch started
    expect_status 2
    expect_no_file started
    expect_said_once 'bad.json:1'
    run "$vftr" run -c absent.json -- touch started
    expect_status 2
    expect_no_file started
    run "$vftr" run --library=absent.so -- touch started
    expect_status 2
    run "$vftr" run -o bad.json/x -- touch started
    expect_status 2
    expect_no_file started
}

test_results_go_to_the_directory_that_was_asked_for() {
    config
    program
    mkdir elsewhere
    run "$vftr" run -o new/folder -- sh -c 'cd elsewhere && exec ../program'
    expect_status 0
    expect_calls new/folder/program_all.log leaf 7
    expect_same "$(ls elsewhere)" "" "files in the command's own directory"
    mkdir configured
    config '"output_directory": "configured"'
    run "$vftr" run -- sh -c 'cd elsewhere && exec ../program'
    expect_calls configured/program_all.log leaf 7
    config '"outfile_basename": "other"'
    mv config.json mine.json
    unset VFTR_CONFIG
    run "$vftr" run -o . -c mine.json sh -c 'cd elsewhere && exec ../program'
    expect_calls other_all.log leaf 7
}

# Results of other runs in the same folder are none of ours.
test_only_recordings_of_this_run_are_in_the_summary() {
    config '"outfile_basename": "older"'
    program
    run "$vftr" run -q -- ./program
    expect_file older_all.vfd
    run "$vftr" run -- true
    expect_said_once 'vftr run: nothing was recorded'
    config '"outfile_basename": "newer"'
    cp program other
    run "$vftr" run --summary=sum -- ./other
    grep -q other sum || fail "not in the summary: $(cat sum)"
    ! grep -q program sum || fail "an earlier run is in the summary: $(cat sum)"
}

test_a_command_without_recordings_is_pointed_to_the_doctor() {
    run "$vftr" run -- true
    expect_status 0
    expect_said_once 'vftr run: nothing was recorded'
    grep -q 'vftr doctor -- true says why' err || fail "$(cat err)"
    config
    program
    VFTR_OFF=1 run "$vftr" run -- ./program
    expect_said_once 'vftr run: nothing was recorded'
    linkage=none program -static
    run "$vftr" run -- ./program
    expect_status 0
    expect_said_once 'vftr run: nothing was recorded'
}

test_mistakes_of_the_configuration_are_told_once() {
    driver
    echo '{"sampling": {"active": 3}}' >bad.json
    VFTR_CONFIG=bad.json run "$vftr" run -q -- ./driver ./child
    expect_status 0
    expect_said_once '"sampling.active" is 3'
    VFTR_OFF=1 VFTR_CONFIG=bad.json run "$vftr" run -q -- ./driver ./child
    expect_same "$(cat err)" '' 'stderr with VFTR_OFF'
}

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

test_other_preloaded_libraries_stay_behind_ours() {
    printf 'int other_value(void) { return 1; }\n' >other.c
    $cc -shared -fPIC other.c -o other.so || fail other.so
    LD_PRELOAD=$PWD/other.so run "$vftr" run -q -- printenv LD_PRELOAD
    expect_status 0
    expect_same "$(cat out)" "$(realpath "$builddir"/libvftrace.so):$PWD/other.so" LD_PRELOAD
    # Once is enough.
    LD_PRELOAD=$builddir/libvftrace.so.2 run "$vftr" run -q -- printenv LD_PRELOAD
    expect_same "$(cat out)" "$(realpath "$builddir"/libvftrace.so)" LD_PRELOAD
}

test_programs_that_bring_the_library_load_it_once() {
    config
    for linkage in shared archive; do
        program
        run "$vftr" run -- ./program
        expect_status 0
        expect_calls program_all.log leaf 7
        expect_silence
        rm -f -- *.log *vfd
    done
    linkage=shared
    build maps.c <<'END'
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[4096], last[4096] = "";
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "libvftrace") && strcmp(strchr(line, '/'), last)) {
            strcpy(last, strchr(line, '/'));
            puts(last);
        }
    return 0;
}
END
    mkdir copy
    cp "$builddir"/libvftrace.so.2 copy/
    run "$vftr" run --library=copy/libvftrace.so.2 -q -- ./maps
    expect_same "$(grep -c libvftrace out)" 1 "libraries in the program ($(cat out))"
}

test_the_installed_command_finds_its_library() {
    program
    mkdir -p moved/bin moved/lib
    cp "$vftr" moved/bin/
    cp "$builddir"/libvftrace.so.2.* moved/lib/
    run moved/bin/vftr run -q -- printenv LD_PRELOAD
    expect_status 0
    case $(cat out) in "$PWD"/moved/lib/libvftrace.so.2.*) ;; *) fail "LD_PRELOAD is $(cat out)" ;; esac
    rm moved/lib/*
    run moved/bin/vftr run -q -- true
    expect_status 2
    grep -q -- --library err || fail "$(cat err)"
}

# tree FILE: the rows of a summary's tree: "<depth> program arguments", in its order.
tree() {
    awk '/ENDED/ { at = index($0, "PROGRAM"); on = 1; next }
        on && /^$/ { exit }
        on && /^ *[0-9]+ / { row = substr($0, at); n = match(row, /[^ ]/) - 1; print n / 2, substr(row, n + 1) }' "$1"
}

driver() {
    build driver.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    int status = 0;
    leaf();
    if (argc > 1) {
        if (fork() == 0) {
            execvp(argv[1], argv + 1);
            _exit(99);
        }
        wait(&status);
    }
    return WEXITSTATUS(status);
}
END
    cp driver child
    cp driver grandchild
}

# Acceptance case 21
test_the_processes_of_a_script_are_one_tree() {
    config
    driver
    printf '#!/bin/sh\n./driver ./child ./grandchild\n./grandchild\n' >script
    chmod +x script
    run "$vftr" run --summary=sum -- ./script
    expect_status 0
    expect_same "$(tree sum)" '1 driver ./child ./grandchild
2 child ./grandchild
3 grandchild
1 grandchild' "the tree in: $(cat sum)"
    run "$vftr" run --summary=sum -- ./driver ./child
    expect_same "$(tree sum)" '0 driver ./child
1 child' "the tree in: $(cat sum)"
    expect_calls driver_all.log leaf 1
}

test_without_following_new_environments_stay_as_they_are() {
    config
    driver
    run "$vftr" run --summary=sum -- env -i ./child
    expect_status 0
    expect_same "$(tree sum)" '0 child' "the tree in: $(cat sum)"
    run "$vftr" run --no-follow -- env -i ./child
    expect_status 0
    expect_said_once 'vftr run: nothing was recorded'
}

test_a_parallel_make() {
    have make || skip 'no make'
    config
    driver
    printf 'all: 1 2 3 4 5 6\n1 2 3 4 5 6:\n\t@./driver ./child\n' >Makefile
    run "$vftr" run -o results --summary=sum -- make -j3
    expect_status 0
    expect_same "$(cat err)" '' stderr
    expect_same "$(tree sum | sort | uniq -c | tr -s ' ')" ' 6 1 driver ./child
 6 2 child' "the tree in: $(cat sum)"
}

test_what_still_runs_is_in_the_summary() {
    config
    build waits.c <<'END'
#include <stdio.h>
int main(void) { return getchar() == 0; }
END
    mkfifo in
    exec 9<>in
    run "$vftr" run --summary=sum -- sh -c './waits <in >/dev/null 2>&1 & while ! ls waits*vfd 2>/dev/null; do :; done'
    expect_status 0
    echo >&9
    grep -q waits sum || fail "not there: $(cat sum)"
}

# "$vftr run" of a launcher: its ranks are recorded.
test_a_job_of_a_launcher_is_recorded() {
    [ -n "${MPIRUN:-}" ] || skip "no mpirun"
    config
    cat >job.c <<'END'
#include <mpi.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 7; i++)
        leaf();
    MPI_Finalize();
    return 0;
}
END
    "$MPICC" -g -finstrument-functions job.c -o job || fail "$MPICC"
    local more=
    ! "$MPIRUN" --version | grep -q 'Open MPI' || more='--allow-run-as-root --oversubscribe'
    # shellcheck disable=SC2086
    run "$vftr" run -- "$MPIRUN" $more -n 2 ./job
    expect_status 0
    expect_calls job_all.log leaf 14
    rm job_all.*
    # One of several copies speaks.
    # shellcheck disable=SC2086
    run "$MPIRUN" $more -n 2 "$vftr" run -- ./job
    expect_status 0
    expect_calls job_all.log leaf 14
    expect_said_once '2 ranks of job'
    expect_same "$(grep -c 'nothing was recorded' err)" 0 'copies that found nothing'
}

run_tests
