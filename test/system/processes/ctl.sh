# SPDX-License-Identifier: BSD-3-Clause
# vftr ctl: commands to programs that are being recorded.
. "${srcdir:-.}/test/system/lib.sh"

# A program that calls `work` and `other` until its input ends, and prints how often; with an argument it begins by sleeping until SIGUSR1.
busy() {
    build busy.c <<'END'
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile long done;
__attribute__((noinline)) void work(void) { done++; }
__attribute__((noinline)) void other(void) { done++; }
__attribute__((no_instrument_function)) static int asked_to_end(void)
{
    struct pollfd in = {0, POLLIN, 0};
    return poll(&in, 1, 0) > 0;
}
__attribute__((no_instrument_function)) static void woken(int signal) { (void)signal; }
int main(int argc, char **argv)
{
    (void)argv;
    work();
    printf("%d\n", (int)getpid());
    fflush(stdout);
    signal(SIGUSR1, woken);
    if (argc > 1)
        pause();
    long rounds = 0;
    for (; rounds % 1000 || !asked_to_end(); rounds++) {
        work();
        other();
    }
    printf("%ld\n", rounds);
    return 0;
}
END
}
# ctl ARGUMENT…: in `said`. Programs may wait for a core for long on a busy machine.
ctl() {
    local code=0
    "$vftr" ctl --wait=60 "$@" >said 2>said.err || code=$?
    [ ! -s said.err ] || cat said.err >>said
    return $code
}
expect_said() { grep -qE -- "$1" said || fail "not '$1' but: $(cat said)"; }

test_recording_stops_and_starts() {
    config
    busy
    begin ./busy
    ctl "$pid" status || fail "status: $(cat said)"
    expect_said "^$pid: recording, timing adaptive, threads so far 1$"
    ctl "$pid" stop || fail "stop: $(cat said)"
    expect_said "^$pid: stopped$"
    ctl "$pid" status || fail "status: $(cat said)"
    expect_said "^$pid: stopped, "
    local before after
    "$vftr" report "busy_$pid.tmpvfd" >first || fail "report"
    before=$(calls_of first work)
    ctl "$pid" status # time passes, in which nothing is recorded
    "$vftr" report "busy_$pid.tmpvfd" >second || fail "report"
    expect_same "$(calls_of second work)" "$before" "calls while it is stopped"
    ctl "$pid" start || fail "start: $(cat said)"
    expect_said "^$pid: recording$"
    for ((i = 0; i < 600; i++)); do
        "$vftr" report "busy_$pid.tmpvfd" >third || fail "report"
        after=$(calls_of third work)
        [ "$after" = "$before" ] || break
        sleep 0.1
    done
    [ "$after" -gt "$before" ] || fail "nothing is recorded after start: $before, $after"
    end_it
    expect_same "$status" 0 "exit code"
    [ ! -s err.program ] || fail "it says $(cat err.program)"
    expect_calls busy_all.log vftrace_pause 1
    [ "$(calls_of busy_all.log work)" -lt "$(tail -1 ready)" ] || fail "all calls are there"
}

test_functions_are_excluded_and_included() {
    config
    busy
    begin ./busy
    ctl "$pid" exclude '^wor' || fail "exclude: $(cat said)"
    expect_said 'functions that match are not recorded any more'
    local one two
    counts_now() { "$vftr" report "busy_$pid.tmpvfd" >now && calls_of now work && calls_of now other; }
    # Both threads of counting may be a call apart.
    { read -r one && read -r two; } < <(counts_now)
    for ((i = 0; i < 600; i++)); do
        { read -r work && read -r other; } < <(counts_now)
        [ "$other" -le $((two + 1000)) ] || break
        sleep 0.1
    done
    [ "$other" -gt $((two + 1000)) ] || fail "other is not recorded any more"
    expect_at_most $((work - one)) 1 "calls of work after it was excluded"
    ctl "$pid" include 'work$' || fail "include: $(cat said)"
    for ((i = 0; i < 600; i++)); do
        { read -r work && read -r other; } < <(counts_now)
        [ "$work" -le $((one + 1000)) ] || break
        sleep 0.1
    done
    [ "$work" -gt $((one + 1000)) ] || fail "work is not recorded again"
    end_it
    expect_same "$status" 0 "exit code"
}

test_a_snapshot_is_written() {
    config
    busy
    begin ./busy
    mkdir elsewhere
    ctl "$pid" snapshot || fail "snapshot: $(cat said)"
    expect_said "^$pid: the recording so far is in .*busy_$pid.snapshot1.vfd$"
    "$vftr" report "busy_$pid.snapshot1.vfd" >report || fail "the snapshot cannot be read"
    [ "$(calls_of report work)" -gt 0 ] || fail "the snapshot has no calls"
    ctl "$pid" snapshot elsewhere/mine.vfd || fail "snapshot FILE: $(cat said)"
    expect_file elsewhere/mine.vfd
    ! ctl "$pid" snapshot /not/there || fail "a snapshot that cannot be written is no error"
    expect_said "^$pid: refused: cannot write /not/there"
    end_it
    expect_same "$status" 0 "exit code"
    [ ! -s err.program ] || fail "it says $(cat err.program)"
}

test_a_program_that_calls_nothing_answers_when_it_does() {
    config
    busy
    begin ./busy asleep
    ! "$vftr" ctl --wait=0.2 "$pid" stop >said || fail "it answers: $(cat said)"
    expect_said "^$pid: no answer: it has called no instrumented function meanwhile, and obeys at its next call$"
    kill -USR1 "$pid"
    ctl "$pid" status || fail "status: $(cat said)"
    expect_said "^$pid: (stopped|recording), " # the command that was not taken is replaced
    ctl "$pid" stop || fail "stop: $(cat said)"
    end_it
    expect_same "$status" 0 "exit code"
}

test_all_programs_of_a_folder_are_asked() {
    config
    busy
    mkdir results
    export VFTR_OUTPUT_DIRECTORY=$PWD/results
    begin ./busy
    local first=$pid first_job=$job
    mkfifo in2
    ./busy <in2 >ready2 &
    local second_job=$!
    exec 8>in2
    until [ -s ready2 ] || ! kill -0 $second_job; do sleep 0.01; done
    read -r second <ready2
    ctl results stop || fail "stop: $(cat said)"
    expect_same "$(sort said)" "$(printf '%s: stopped\n' "$first" "$second" | sort)" answers
    ctl "results/busy_$first.tmpvfd" start || fail "start: $(cat said)"
    ctl results status || fail "status: $(cat said)"
    expect_said "^$first: recording"
    expect_said "^$second: stopped"
    ! ctl results snapshot one.vfd || fail "two programs write one file"
    expect_said 'several programs cannot write one snapshot'
    echo >&8
    wait $second_job
    job=$first_job
    end_it
    ! ctl results status || fail "it answers when all have ended: $(cat said)"
    expect_said 'results: no process writes a recording there'
}

test_wrong_usage_is_one_line() {
    wrong() { # MESSAGE ARGUMENT…
        local message=$1
        shift
        run "$vftr" ctl "$@"
        expect_status 2
        expect_same "$(cat err)" "vftr ctl: $message (see vftr ctl --help)" "message of $*"
    }
    wrong 'a PID, FILE or DIR is missing'
    wrong 'a COMMAND is missing' 1
    wrong 'no such command: stat; did you mean start?' 1 stat
    wrong 'a REGEX is missing for exclude' 1 exclude
    wrong 'too many arguments: x' 1 stop x
    wrong '--wait needs seconds from 0 to 86400, not soon' --wait=soon 1 stop
    wrong 'no valid regular expression: missing closing parenthesis' 1 exclude '('
    run "$vftr" ctl not-there stop
    expect_status 1
    echo nothing >file.vfd
    run "$vftr" ctl file.vfd stop
    expect_status 1
}

test_who_may_not_write_the_recording_may_not_give_commands() {
    [ "$(id -u)" = 0 ] && have setpriv || skip "not root"
    config
    busy
    chmod 755 . && umask 022
    begin ./busy
    chmod 644 "busy_$pid.tmpvfd"
    ! setpriv --reuid 65534 --regid 65534 --clear-groups "$vftr" ctl "busy_$pid.tmpvfd" stop >said 2>&1 || fail "somebody else may: $(cat said)"
    ctl "$pid" status || fail "status: $(cat said)"
    expect_said ': recording'
    end_it
}

run_tests
