# SPDX-License-Identifier: BSD-3-Clause
# vftr ab: the order of the runs, what each side gets, what is kept, and when it ends.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/compare/programs.sh"

# tell: appends its argument, VFTR_OFF, WHO and its folder to $TOLD, and is recorded.
tell() {
    needs BOOST_MATH
    build tell.c <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char *value(const char *name) { const char *text = getenv(name); return text ? text : "-"; }
static void write_line(const char *who) {
    char folder[4096];
    FILE *file = fopen(value("TOLD"), "a");
    fprintf(file, "%s off=%s WHO=%s %s\n", who, value("VFTR_OFF"), value("WHO"), strrchr(getcwd(folder, sizeof folder), '/') + 1);
    fclose(file);
}
int main(int argc, char **argv) {
    if (argc > 1) write_line(argv[1]);
    puts("a line of the program");
    return argc > 2 ? atoi(argv[2]) : 0;
}
END_OF_C
    export TOLD=$PWD/told
}
ab() {
    run "$vftr" ab "$@"
    [ "$status" = 0 ] || fail "exit code $status of vftr ab $*: $(cat err)"
}
order() { cut -d' ' -f1 told | tr '\n' ' '; }

test_both_run_in_turn_and_are_compared() {
    tell
    ab -n 4 --only-recorded --base ./tell A --new ./tell B
    expect_same "$(order)" "A B B A A B B A " "the order"
    grep -q '; 4 pairs of runs)' out || fail "the comparison is: $(cat out)"
    ! grep -q 'a line of the program' out || fail "the output of the programs is among it"
    expect_same "$(cat vftr_ab/base.1/stdout)" "a line of the program" "the output that is kept"
    expect_same "$(cd vftr_ab && echo ./*/*_all.vfd | wc -w)" 8 "recordings that are kept"
    diffed vftr_ab/base.? -- vftr_ab/new.?
    grep -q '; 4 runs each)' out || fail "vftr diff of what is kept: $(head -1 out)"
}

# On a machine that is 30 times slower in each second pair: the program counts its runs and works as much more. What both runs of a pair have in common is no
# noise of their ratio. To vftr diff, which knows of no pairs, it is.
test_the_two_runs_of_a_pair_are_compared_with_each_other() {
    needs BOOST_MATH
    build paired.c <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
static volatile double sum;
void busy(long n) { while (n--) sum += 1; }
int main(int argc, char **argv) {
    FILE *file = fopen(getenv("COUNTED"), "r+");
    int run = 0;
    if (fscanf(file, "%d", &run) != 1) return 1;
    rewind(file);
    fprintf(file, "%d\n", run + 1);
    fclose(file);
    busy((run / 2 % 2 ? 30 : 1) * atol(argv[1]) * 1000000L);
    return argc > 2;
}
END_OF_C
    echo 0 >counted
    export COUNTED=$PWD/counted
    ab -n 6 --only-recorded --base ./paired 1 --new ./paired 10
    expect_same "$(cell busy 8)" slower "the verdict of busy"
    diffed --all vftr_ab/base.? -- vftr_ab/new.?
    expect_same "$(cell busy 8)" "not known" "the verdict of vftr diff, which does not know the pairs"
    diffed --paired vftr_ab/base.? -- vftr_ab/new.?
    expect_same "$(cell busy 8)" slower "the verdict of vftr diff that is told of them"
    grep -q '; 6 pairs of runs)' out || fail "the first line is: $(head -1 out)"
    expect_refused 1 '--paired: the sides have 5 and 6 runs: pairs need as many of each' "$vftr" diff --paired vftr_ab/base.[1-5] -- vftr_ab/new.?
    ! has RAPIDJSON || {
        ab -n 2 --only-recorded -o as_json --format=json --base ./paired 1 --new ./paired 1
        expect_comparisons out
        grep -q '"paired":true' out || fail "it does not say that the runs are pairs"
    }
}

test_programs_are_timed_without_recording_as_well() {
    tell
    ab -n 2 -o kept --base ./tell A --new ./tell B
    expect_same "$(cut -d' ' -f1,2 told | tr '\n' ' ')" "A off=- B off=- A off=1 B off=1 B off=- A off=- B off=1 A off=1 " "the order"
    grep -q 'wall time, not recorded' out || fail "no times of whole programs: $(cat out)"
    grep -q '^Recorded, they ran [0-9.]* % [a-z]* (base) and [0-9.]* % [a-z]* (new)$' out || fail "nothing of what recording costs: $(cat out)"
}

# Each waits for the other at a FIFO, so that one after the other would never end.
test_both_of_a_pair_run_at_the_same_time_on_one_core_where_that_is_wanted() {
    tell
    mkfifo meet
    # shellcheck disable=SC2016
    run timeout 120 "$vftr" ab -n 2 --together --base sh -c 'nproc >>cores; echo >meet; exec ./tell A' --new sh -c 'cat meet; exec ./tell B'
    expect_status 0
    expect_same "$(sort told | cut -d' ' -f1,2 | uniq -c | awk '{ print $2, $3, $1 }')" "A off=- 2
A off=1 2
B off=- 2
B off=1 2" "what has run"
    expect_same "$(sort -u cores)" 1 "the cores that they have"
    grep -q '; 2 pairs of runs)' out || fail "the comparison is: $(cat out)"
    grep -q 'CPU time, not recorded' out && ! grep -q 'wall time' out || fail "times of whole programs: $(cat out)"
    grep -q '^Recorded, they took [0-9.]* % [a-z]* CPU time (base) and [0-9.]* % [a-z]* CPU time (new)$' out || fail "nothing of what recording costs: $(cat out)"
}

test_each_side_has_its_environment_folder_and_configuration() {
    tell
    mkdir here there
    echo '{"filter": {"exclude": {"functions": "^write_line$"}}}' >my.json
    ab -n 1 --only-recorded --base-env=WHO=me --new-env=WHO=you --base-cd=here --new-cd=there --new-config=my.json \
        --base "$PWD/tell" A --new "$PWD/tell" B
    expect_same "$(cat told)" "A off=- WHO=me here
B off=- WHO=you there" "what they have"
    expect_same "$(cell write_line 8)" gone "the verdict of what the new side excludes"
    rm -r told vftr_ab
    VFTR_OFF=1 ab -n 1 --only-recorded --env=WHO=both --cd=here --base ../tell A --new ../tell B
    expect_same "$(cut -d' ' -f3,4 told | sort -u)" "WHO=both here" "what both have"
}

test_a_changed_program_is_found() {
    needs BOOST_MATH
    two_versions
    run "$vftr" ab -n 5 --fail-if='^busy$:slower>100%' --base ./before --new ./after
    expect_status 1
    grep -q '^vftr ab: ^busy$:slower>100%: busy (+' err || fail "it says: $(cat err)"
    expect_same "$(cell busy 8)" slower "the verdict of busy"
    expect_same "$(cell leaf 6) $(cell leaf 7)" "15 30" "calls of leaf"
    grep -q '| *slower | *wall time, not recorded |' out || fail "the whole program is not slower: $(cat out)"
}

test_runs_before_do_not_count_and_leave_nothing() {
    tell
    ab -n 1 --warmup=2 --only-recorded --base ./tell A --new ./tell B
    expect_same "$(wc -l <told)" 6 "runs"
    expect_same "$(cd vftr_ab && echo *)" "base.1 new.1" "what is kept"
    grep -q '; one run each)' out || fail "it compares: $(head -1 out)"
}

test_it_ends_when_enough_is_known_or_the_time_is_over() {
    tell
    ab -n 50 --until=100000% --only-recorded --base ./tell A --new ./tell B
    expect_same "$(wc -l <told)" 6 "runs until any answer is good enough"
    rm -r told vftr_ab
    ab -n 50 --limit=0.000001 --only-recorded --base ./tell A --new ./tell B
    expect_same "$(wc -l <told)" 2 "runs where the time is over at once"
}

test_a_command_that_fails_ends_it_in_one_line() {
    tell
    expect_refused 1 './tell (new) ended with exit code 3; what it wrote is in' "$vftr" ab --base ./tell A --new ./tell B 3
    rm -r vftr_ab
    expect_refused 1 './nothing (base) ended with exit code 127' "$vftr" ab --base ./nothing --new ./tell B
    rm -r vftr_ab
    expect_refused 1 'vftr_ab/base.1: has no recordings' "$vftr" ab --base true --new ./tell B
    expect_refused 1 'vftr_ab: is not empty; --output gives another folder' "$vftr" ab --base ./tell A --new ./tell B
}

test_wrong_usage_of_ab_is_told_in_one_line() {
    tell
    expect_refused 2 'give both commands' "$vftr" ab
    expect_refused 2 'give both commands' "$vftr" ab --base ./tell
    expect_refused 2 'give both commands' "$vftr" ab --new ./tell
    expect_refused 2 'give both commands' "$vftr" ab --base --new ./tell
    expect_refused 2 'options come before --base; this is none: ./tell' "$vftr" ab ./tell --base ./tell --new ./tell
    expect_refused 2 '-n needs a number from 1 on, not 0' "$vftr" ab -n 0 --base ./tell --new ./tell
    expect_refused 2 '--until needs a percentage above 0, not 0' "$vftr" ab --until=0 --base ./tell --new ./tell
    expect_refused 2 '--limit needs seconds above 0, not -1' "$vftr" ab --limit=-1 --base ./tell --new ./tell
    expect_refused 2 '--env needs NAME=VALUE, not =x' "$vftr" ab --env==x --base ./tell --new ./tell
    expect_refused 2 'a condition is one of' "$vftr" ab --fail-if=worse --base ./tell --new ./tell
    expect_no_file vftr_ab
}

run_tests
