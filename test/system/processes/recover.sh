# SPDX-License-Identifier: BSD-3-Clause
# vftr recover: it closes the recording of a process that was killed, and never makes anything worse.
. "${srcdir:-.}/test/system/lib.sh"
. "${srcdir:-.}/test/system/processes/header.sh"
. "${srcdir:-.}/test/system/processes/dies.sh"

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
    mv ends_all.log well.log
    KILLED=1 may_be_killed=1 run ./ends
    expect_status 137
    local file
    file=$(only 'ends_*.tmpvfd')
    for file in "$file" "${file%.tmpvfd}.vfd"; do
        report "$file"
        diff <(grouped_counts well.log | sort) <(grouped_counts report | sort) || fail "calls: (<) in the log, (>) in that of the killed one"
        diff <(stacks_of well.log) <(stacks_of report) || fail "call stacks: (<) in the log, (>) in that of the killed one"
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
    build lives
    begin ./lives
    local file code=0
    file=$(only 'lives_*.tmpvfd')
    "$vftr" recover "$file" >out 2>recover.err || code=$?
    expect_same "$code" 1 "exit code of vftr recover"
    grep -q 'still records' recover.err || fail "it says: $(cat recover.err)"
    expect_same "$(wc -l <recover.err)" 1 "lines"
    end_it
    expect_status 0
    expect_calls lives_all.log leaf 500
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

run_tests
