# SPDX-License-Identifier: BSD-3-Clause
# Processes that end without a word: the program is as without vftrace, and nothing of its recording is lost.
. "${srcdir:-.}/test/system/lib.sh"
. "${srcdir:-.}/test/system/processes/header.sh"
. "${srcdir:-.}/test/system/processes/dies.sh"

# Prints how the command ended, as its parent sees it: "exit 5" or "signal 11 core 1".
ending_program() {
    instrument='' linkage=none build ending.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        execv(argv[1], argv + 1);
        _exit(127);
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status))
        printf("exit %d\n", WEXITSTATUS(status));
    else
        printf("signal %d core %d\n", WTERMSIG(status), !!WCOREDUMP(status));
    return argc < 2;
}
END
}
ways="9 15 1 2 8 10 11 24 31 segv trap abort _exit _Exit quick stack memory exit 0"

# Limits for a program that takes all memory or stack; and core dumps are written if the machine writes any.
run_to_its_end() { run bash -c 'ulimit -s 1024; ulimit -c unlimited; [ '"$1"' != memory ] || ulimit -v 600000; exec ./ending ./dies '"$1"; }

test_programs_end_as_without_vftrace_and_leave_core_dumps_as_without() {
    local how
    ending_program
    for linkage in none shared archive; do
        dies_program
        config
        for how in $ways; do
            rm -f core*
            run_to_its_end "$how"
            expect_silence
            echo "$how: $(cat out), core dumps: $(ls | grep -c '^core')"
        done >endings.$linkage
    done
    cat endings.none
    diff endings.none endings.shared || fail "endings: (<) without, (>) with vftrace"
    diff endings.none endings.archive || fail "endings: (<) without, (>) with the static library"
}

# Everything that was recorded is in the file, before and after vftr recover, and both are the same.
expect_recovered_the_same() {
    local file=$1 new
    expect_all_there "$file"
    cp report before
    "$vftr" dump "$file" >dump.before || fail "vftr dump $file"
    "$vftr" recover "$file" >recovered 2>recover.err || fail "vftr recover: $(cat recover.err)"
    expect_silence
    new=$(cut -d: -f1 recovered)
    expect_file "$new"
    [ "$new" = "$file" ] || expect_no_file "$file"
    expect_all_there "$new"
    ! grep -q 'not closed' report || fail "the log says that it is not closed"
    "$vftr" recover "$new" >again || fail "vftr recover once more"
    expect_same "$(cat again)" "$new: is closed" "vftr recover once more"
    diff <(without_notes before) <(without_notes report) >differences || fail "vftr report before and after: $(cat differences)"
    "$vftr" dump "$new" >dump.after || fail "vftr dump $new"
    # The same, but for where it stands in the file, which is small now.
    diff <(grep -vE 'not closed| offset: ' dump.before) <(grep -v ' offset: ' dump.after) >differences || fail "vftr dump before and after: $(head differences)"
}

test_nothing_is_lost_however_a_program_ends() {
    local how timeline
    ending_program
    for timeline in '' '"sampling": {"active": true, "sample_interval": 0}'; do
        [ -z "$timeline" ] || ! have clang || cc=clang # each compiler once
        dies_program
        config "$timeline"
        for how in $ways; do
            [ "$how" != exit ] && [ "$how" != 0 ] || continue
            rm -rf -- dies_* vftrace_symbols core*
            run_to_its_end "$how"
            [ "$how" != stack ] || [ -z "$timeline" ] || continue # its dump is long
            [ -n "$timeline" ] || printf '%s' '' >dump.before
            expect_recovered_the_same "$(only 'dies_*.tmpvfd')"
            case $how in
            _exit | _Exit | quick) expect_state "$(only 'dies_*.vfd')" Exited ;;
            *)
                expect_state "$(only 'dies_*.vfd')" Sealed
                expect_same $(($(flags "$(only 'dies_*.vfd')") & 512)) 512 "flag recovered after $how"
                report dies_*.vfd
                grep -q '^Note: 1 recording is of a process that was killed' report || fail "the log does not say that its process was killed"
                ;;
            esac
        done
    done
}

test_the_exit_status_is_in_the_header() {
    config '"sampling": {"active": true}'
    dies_program
    for how in exit:7 0:9; do
        rm -f -- *vfd
        run ./dies "${how%:*}"
        expect_status "${how#*:}"
        expect_same $(($(flags dies_0.vfd) & 256)) 256 "flag exit status"
        expect_same "$(exit_status_in dies_0.vfd)" "${how#*:}" "exit status in the header"
    done
    build again.c <<'END'
#include <stdlib.h>
static void handler(void) { exit(77 + 256); }
int main(void) { return atexit(handler); }
END
    run ./again
    expect_status 77
    expect_same "$(exit_status_in again_0.vfd)" 77 "exit status where a handler calls exit again"
}

# No handler of ours, nothing blocked, nothing ignored, and the program's own handlers are called.
test_signal_handlers_and_masks_are_the_programs_own() {
    config
    for linkage in none shared archive; do
        build signals.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void print_signals(const char *file)
{
    char line[256];
    FILE *status = fopen(file, "r");
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "Sig", 3) && strncmp(line, "SigQ", 4))
            fputs(line, stdout);
    fclose(status);
}
static void *in_thread(void *unused) { print_signals("/proc/thread-self/status"); return unused; }
static void handler(int signal) { _exit(write(1, "mine\n", 5) == 5 ? signal : 99); }
int main(void)
{
    pthread_t thread;
    print_signals("/proc/self/status");
    pthread_create(&thread, 0, in_thread, 0);
    pthread_join(thread, 0);
    fflush(stdout);
    signal(SIGTERM, handler);
    raise(SIGTERM);
    return 0;
}
END
        run ./signals
        expect_status 15
        expect_same "$(tail -1 out)" mine "the program's handler"
        cp out signals.$linkage
    done
    diff signals.none signals.shared || fail "signals: (<) without, (>) with vftrace"
    diff signals.none signals.archive || fail "signals: (<) without, (>) with the static library"
}

test_handlers_of_the_program_for_fatal_signals_still_run() {
    config
    build handles.c <<'END'
#include <signal.h>
#include <unistd.h>
static void handler(int sig) { _exit(sig == SIGSEGV ? write(1, "mine\n", 5), 42 : 43); }
int main(void)
{
    struct sigaction action;
    for (int sig = 1; sig < 32; sig++) /* nobody else may have taken a signal */
        if (sigaction(sig, 0, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
            return 44;
    signal(SIGSEGV, handler);
    *(volatile int *)0 = 1;
    return 0;
}
END
    run ./handles
    expect_status 42
    expect_same "$(cat out)" mine "output of the handler"
    expect_silence
}

run_tests
