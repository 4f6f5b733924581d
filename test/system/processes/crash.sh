# SPDX-License-Identifier: BSD-3-Clause
# Processes that end without a word: the program is as without vftrace, nothing of its recording is lost, and vftr recover closes it.
. "${srcdir:-.}/test/system/lib.sh"
. "${srcdir:-.}/test/system/processes/header.sh"

# dies HOW: after 1234 calls of leaf in work. `how N` ends by signal N.
dies_program() {
    build dies.c <<'END'
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
static void leaf(void) {}
static int recurse(int n) { volatile char room[256]; room[0] = (char)n; return recurse(n + 1) + room[0]; }
static void take_all_memory(void)
{
    for (;;) {
        char *memory = malloc(1 << 20);
        if (!memory)
            abort();
        memset(memory, 1, 1 << 20);
    }
}
static void work(const char *how)
{
    for (int i = 0; i < 1234; i++)
        leaf();
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "_exit")) _exit(5);
    if (!strcmp(how, "_Exit")) _Exit(6);
    if (!strcmp(how, "exit")) exit(7);
    if (!strcmp(how, "quick")) quick_exit(8);
    if (!strcmp(how, "segv")) *(volatile int *)0 = 1;
    if (!strcmp(how, "trap")) __builtin_trap();
    if (!strcmp(how, "stack")) recurse(0);
    if (!strcmp(how, "memory")) take_all_memory();
    if (atoi(how)) raise(atoi(how));
}
int main(int argc, char **argv) { return argc > 1 ? work(argv[1]), 9 : 1; }
END
}
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
ways="9 15 1 2 24 31 segv trap abort _exit _Exit quick stack memory exit 0"

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

# Everything that was recorded is in the file, before and after vftr recover, and both are the same. Notes tell whether it was closed.
without_notes() { sed '/^Note: /,/^$/d' "$1"; }
expect_all_there() {
    report "$1"
    expect_calls report leaf 1234
    expect_calls report work 1
    expect_stack report 'leaf<work<main<init'
}
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
    diff <(grep -v 'not closed' dump.before) dump.after >differences || fail "vftr dump before and after: $(head differences)"
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

# What a run writes at its end, and what is made of the file of one that was killed there.
test_the_log_of_a_killed_run_is_made_from_its_file() {
    build ends.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <vftrace.h>
static void leaf(void) {}
static void middle(int n) { for (int i = 0; i < n; i++) leaf(); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void end(void) { if (getenv("KILLED")) raise(SIGKILL); }
int main(void)
{
    vftrace_region_begin("a region");
    middle(10);
    vftrace_region_end("a region");
    fib(15);
    middle(5);
    end();
    return 0;
}
END
    config
    run_well ./ends
    KILLED=1 may_be_killed=1 run ./ends
    expect_status 137
    local file
    file=$(only 'ends_*.tmpvfd')
    for file in "$file" "${file%.tmpvfd}.vfd"; do
        report "$file"
        diff <(grouped_counts ends_all.log | sort) <(grouped_counts report | sort) || fail "calls: (<) in the log, (>) in that of the killed one"
        diff <(stacks_of ends_all.log) <(stacks_of report) || fail "call stacks: (<) in the log, (>) in that of the killed one"
        [ "${file%.vfd}" != "$file" ] || "$vftr" recover "$file" >/dev/null || fail "vftr recover"
    done
    # Also where the program is not any more.
    mkdir elsewhere
    mv ends_[0-9]*.vfd vftrace_symbols elsewhere
    rm ends
    cp report before
    report elsewhere/ends_*.vfd
    diff before report || fail "the log without the program"
}

test_a_file_of_a_process_that_runs_is_not_recovered() {
    config
    build lives.c <<'END'
#include <stdio.h>
#include <unistd.h>
static void leaf(void) {}
int main(void)
{
    leaf();
    puts("ready");
    fflush(stdout);
    char byte;
    return read(0, &byte, 1) < 0;
}
END
    begin ./lives
    local file code=0
    file=$(only 'lives_*.tmpvfd')
    "$vftr" recover "$file" >out 2>recover.err || code=$?
    expect_same "$code" 1 "exit code of vftr recover"
    grep -q 'still records' recover.err || fail "it says: $(cat recover.err)"
    expect_same "$(wc -l <recover.err)" 1 "lines"
    end_it
    expect_status 0
    expect_calls lives_all.log leaf 1
}

# A file that cannot be recovered stays as it is.
test_what_cannot_be_recovered_is_told_in_one_line_and_not_changed() {
    config
    dies_program
    may_be_killed=1 run ./dies 9
    local file code case_
    file=$(only 'dies_*.tmpvfd')
    head -c 20000 "$file" >cut.tmpvfd
    head -c 100 "$file" >short.tmpvfd
    : >empty.tmpvfd
    head -c 40000 /dev/zero >zeros.tmpvfd
    cp "$file" damaged.tmpvfd
    # The first segment begins behind the header page; its size does not fit.
    printf '\377\377\377' | dd of=damaged.tmpvfd bs=1 seek=$((4096 + 16)) conv=notrunc 2>/dev/null
    echo text >text.tmpvfd
    cp "$file" other_host.tmpvfd
    printf 'elsewhere\0' | dd of=other_host.tmpvfd bs=1 seek="$(place_of hostname)" conv=notrunc 2>/dev/null
    run ./dies 0
    for case_ in cut.tmpvfd short.tmpvfd empty.tmpvfd zeros.tmpvfd damaged.tmpvfd text.tmpvfd other_host.tmpvfd missing.tmpvfd .; do
        [ ! -f $case_ ] || cp $case_ copy
        code=0
        "$vftr" recover $case_ >out 2>recover.err || code=$?
        expect_same "$code" 1 "exit code for $case_"
        expect_same "$(wc -l <recover.err)" 1 "lines for $case_"
        [ ! -f $case_ ] || cmp copy $case_ || fail "$case_ has changed"
    done
    "$vftr" recover --force other_host.tmpvfd >/dev/null || fail "--force"
    expect_file other_host.vfd
    # A merged profile is complete.
    "$vftr" recover dies_all.vfd >out || fail "vftr recover dies_all.vfd"
    expect_same "$(cat out)" "dies_all.vfd: is closed" "what is said of a merged profile"
    # Others are recovered all the same.
    code=0
    "$vftr" recover cut.tmpvfd "$file" >out 2>recover.err || code=$?
    expect_same "$code" 1 "exit code for two files"
    expect_file "${file%.tmpvfd}.vfd"
    expect_no_file "$file"
}

test_nothing_is_replaced_by_recovering() {
    config
    dies_program
    may_be_killed=1 run ./dies 9
    local file stem
    file=$(only 'dies_*.tmpvfd') stem=${file%.tmpvfd}
    echo other >"$stem.vfd"
    echo other >"$stem.1.vfd"
    "$vftr" recover "$file" >out || fail "vftr recover"
    expect_same "$(cat "$stem.vfd" "$stem.1.vfd" | xargs)" 'other other' "what was there"
    expect_all_there "$stem.2.vfd"
    # Killed between writing and renaming: the next one only renames.
    mv "$stem.2.vfd" "$file"
    rm "$stem.vfd"
    cp "$file" before
    "$vftr" recover "$file" >out || fail "vftr recover of a closed file"
    cmp before "$stem.vfd" || fail "a closed file has changed"
    "$vftr" recover "$stem.vfd" >out || fail "vftr recover twice"
    cmp before "$stem.vfd" || fail "a closed file has changed"
}

# A recovery that is killed at any moment leaves a file that opens.
test_a_recovery_may_be_killed() {
    config
    dies_program
    may_be_killed=1 run ./dies 9
    local file i
    file=$(only 'dies_*.tmpvfd')
    cp "$file" saved
    for ((i = 0; i < 20; i++)); do
        rm -rf -- dies_* vftrace_symbols
        cp saved "$file"
        timeout -s KILL 0.00$((i / 2 + 1)) "$vftr" recover "$file" >/dev/null 2>&1
        set -- dies_*vfd
        expect_same "$#" 1 "files"
        expect_all_there "$1"
    done
}

# A large timeline is not copied.
test_a_large_file_is_recovered_in_place() {
    build long.c <<'END'
#include <signal.h>
static void leaf(void) {}
int main(void)
{
    for (int i = 0; i < 40000000; i++)
        leaf();
    raise(SIGKILL);
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    may_be_killed=1 run ./long
    local file inode
    file=$(only 'long_*.tmpvfd')
    expect_at_least "$(stat -c %s "$file")" 67108865 "size of the file"
    inode=$(stat -c %i "$file")
    report "$file"
    cp report before
    "$vftr" dump --only_header "$file" | grep -v 'not closed' >dump.before
    "$vftr" recover "$file" >out || fail "vftr recover"
    file=$(only 'long_*.vfd')
    expect_same "$(stat -c %i "$file")" "$inode" "inode"
    report "$file"
    expect_calls report leaf 40000000
    diff <(without_notes before) <(without_notes report) || fail "vftr report before and after"
    "$vftr" dump --only_header "$file" | diff dump.before - || fail "vftr dump before and after"
}

on_small_disk() {
    [ "$(id -u)" = 0 ] || skip "mounting a small file system needs root"
    mkdir disk
    mount -t tmpfs -o size=$1 tmpfs disk 2>/dev/null || skip "cannot mount a tmpfs"
}

# A full disk: what fitted is there, and can be recovered without any room.
test_a_killed_program_on_a_full_disk_leaves_what_fitted() {
    on_small_disk 60k
    trap 'umount -l disk' EXIT
    config '"sampling": {"active": true, "sample_interval": 0}, "output_directory": "'"$PWD"'/disk"'
    dies_program
    may_be_killed=1 run ./dies 9
    expect_status 137
    expect_said_once 'vftrace: warning:'
    head -c 200000 /dev/zero >disk/filler 2>/dev/null
    local file
    file=$(only 'disk/dies_*.tmpvfd')
    report "$file"
    "$vftr" recover "$file" >/dev/null 2>recover.err || fail "vftr recover: $(cat recover.err)"
    report "$(only 'disk/dies_*.vfd')"
}

# The merged profile, in which everything is, does not fit any more: then the recording stays.
test_a_disk_that_is_full_at_the_end_leaves_the_recording() {
    on_small_disk 300k
    trap 'umount -l disk' EXIT
    config '"output_directory": "'"$PWD"'/disk"'
    build fills.c <<'END'
#include <stdlib.h>
static void leaf(void) {}
int main(void)
{
    for (int i = 0; i < 100; i++)
        leaf();
    return system("head -c 400000 /dev/zero >disk/filler 2>/dev/null; true") != 0;
}
END
    run ./fills
    expect_same "$status $(ls disk)" "0 filler
fills_0.vfd" "status and files"
    expect_said_once "what was recorded is in $PWD/disk/fills_0.vfd"
    report disk/fills_0.vfd
    expect_calls report leaf 100
}

# The folder, or the file system that it is on, is gone while the program runs.
test_a_file_system_that_goes_away_does_no_harm() {
    config '"sampling": {"active": true, "sample_interval": 0}, "output_directory": "'"$PWD"'/disk"'
    local linkage how
    for how in removed unmounted; do
        rm -rf disk
        if [ $how = unmounted ]; then on_small_disk 10m; else mkdir disk; fi
        for linkage in none shared; do
            build goes.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    if (system(argv[1]) != 0)
        return 1;
    for (int i = 0; i < 1000000; i++)
        leaf();
    puts("done");
    return argc;
}
END
            if [ $linkage = none ]; then
                run ./goes true
            elif [ $how = unmounted ]; then
                run ./goes "umount -l $PWD/disk"
            else
                run ./goes "rm -rf $PWD/disk"
            fi
            expect_status 2
            expect_same "$(cat out)" done "output, $how"
        done
        expect_said_once 'vftrace: warning: cannot extend'
    done
}

run_tests
