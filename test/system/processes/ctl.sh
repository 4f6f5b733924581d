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

# How many calls were counted and not timed, by a snapshot's log.
untimed() { sed -n 's/^Note: \([0-9]*\) of [0-9]* calls were counted and not timed.*/\1/p' "$1"; }
until_report() { # COMMAND…: is run after each new report `now` of the program that runs, until it succeeds
    until "$vftr" report "busy_$pid.tmpvfd" >now 2>now.err && "$@"; do kill -0 "$pid" 2>/dev/null || fail "the program has ended: $(cat now.err)"; done
}

test_timing_is_changed() {
    config
    busy
    begin ./busy
    has_untimed() { [ -n "$(untimed now)" ]; }
    until_report has_untimed
    ctl "$pid" timing exact || fail "timing exact: $(cat said)"
    expect_said "^$pid: timing exact$"
    ctl "$pid" status || fail "status: $(cat said)"
    expect_said "^$pid: recording, timing exact, threads so far 1$"
    # What was counted down already has passed when the number stays while the calls go on.
    local before calls
    before=$(untimed now) calls=$(calls_of now work)
    stays() {
        [ "$(calls_of now work)" -gt $((calls + 10000)) ] || return 1
        [ "$(untimed now)" != "$before" ] || return 0
        before=$(untimed now) calls=$(calls_of now work)
        return 1
    }
    until_report stays
    ctl "$pid" timing adaptive || fail "timing adaptive: $(cat said)"
    expect_said "^$pid: timing adaptive$"
    grows() { [ "$(untimed now)" -gt $((before + 10000)) ]; }
    until_report grows
    ! "$vftr" ctl "$pid" timing fast >said 2>&1 || fail 'timing fast is no error'
    end_it
    expect_same "$status" 0 "exit code"
    expect_calls busy_all.log work $(($(tail -1 ready) + 1))
}

test_a_budget_is_given_and_taken_back() {
    [ "$(uname -m)" = x86_64 ] || skip "no text is changed on $(uname -m)"
    config
    busy
    begin ./busy
    number() { awk -F'|' '/Grouped by function name/ { on = 1 } on && $6 ~ /^ *work *$/ { gsub(/[ ≈]/, "", $2); print $2; exit }' now; }
    estimated() { grep -q '^| *≈.* work ' now; }
    ctl "$pid" timing budget=0.1 || fail "timing budget: $(cat said)"
    expect_said "^$pid: timing budget=0.1$"
    until_report estimated
    # With exact timing, the number grows only if the hook calls are back, but for once, when the last estimate comes.
    ctl "$pid" timing exact || fail "timing exact: $(cat said)"
    local before round
    grows() { [ "$(number)" -gt $((before + 1000000)) ]; }
    for round in 1 2 3; do
        before=$(number)
        until_report grows
    done
    ctl "$pid" timing budget || fail "timing budget: $(cat said)"
    expect_said "^$pid: timing budget=0.03$"
    ctl "$pid" status || fail "status: $(cat said)"
    expect_said ', timing budget=0.03, '
    ctl "$pid" timing adaptive || fail "timing adaptive: $(cat said)"
    end_it
    expect_same "$status" 0 "exit code"
    [ ! -s err.program ] || fail "it says $(cat err.program)"
    ! grep -E '^Note: .*(vanished|ends? (was|were) ignored)' busy_all.log || fail 'calls were lost'
    stacks_at_most busy_all.log 4
}

test_a_forked_child_goes_on_with_the_timing_of_its_parent() {
    config
    build forks.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long done;
__attribute__((noinline)) void work(void) { done++; }
__attribute__((noinline)) void until(const char *file)
{
    for (long n = 0; n % 1000 || access(file, F_OK) != 0; n++)
        work();
}
int main(void)
{
    work();
    printf("%d\n", (int)getpid());
    fflush(stdout);
    until("fork_now");
    if (fork() == 0) {
        FILE *file = fopen("child.new", "w");
        fprintf(file, "%d\n", (int)getpid());
        fclose(file);
        rename("child.new", "child");
        until("end");
        _exit(0);
    }
    return wait(0) < 0;
}
END
    begin ./forks
    ctl "$pid" timing exact || fail "timing exact: $(cat said)"
    touch fork_now
    until [ -e child ] || ! kill -0 $job; do sleep 0.01; done
    ctl "$(cat child)" status || fail "status: $(cat said)"
    expect_said ': recording, timing exact, '
    touch end
    end_it
    expect_same "$status" 0 "exit code"
}

test_a_timing_that_cannot_be_is_refused() {
    config '"filter": {"live_patching": false}'
    busy
    begin ./busy
    ! ctl "$pid" timing budget || fail "a budget without patching"
    expect_said "^$pid: refused: \"filter.live_patching\" is false$"
    end_it
    rm -f -- *.vfd *.tmpvfd
    config '"sampling": {"active": true, "sample_interval": 0}'
    begin ./busy
    ! ctl "$pid" timing adaptive || fail "a timeline of all calls that times some"
    expect_said "^$pid: refused: all calls are timed, as \"sampling.sample_interval\" is 0$"
    ctl "$pid" timing exact || fail "timing exact: $(cat said)"
    end_it
    expect_same "$status" 0 "exit code"
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
    wrong 'timing is one of exact, adaptive, budget, or budget=X with X from 0.001 to 1' 1 timing
    wrong 'no such timing: budget=2; it is one of exact, adaptive, budget, or budget=X with X from 0.001 to 1' 1 timing budget=2
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
