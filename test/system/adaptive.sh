# SPDX-License-Identifier: BSD-3-Clause
# Adaptive timing: short calls are counted, and timed only as often as their time can be told from.
. "${srcdir:-.}/test/system/lib.sh"

# Three leaves whose work is as 1 to 2 to 5, called in turn, two of them from a function that is short as well; and one that is long.
write_program() {
    cat >turns.c <<'END'
static volatile unsigned sink;
static void spin(unsigned turns) __attribute__((no_instrument_function));
static void spin(unsigned turns) { while (turns--) sink += turns; }
void one(void) { spin(24); }
void two(void) { spin(48); }
void five(void) { spin(120); }
void pair(int i) { one(); if (i % 4 == 0) two(); two(); }
void long_one(void) { spin(200000); }
int main(void)
{
    for (int i = 0; i < 1000000; i++) {
        pair(i);
        five();
        if (i % 10000 == 0)
            long_one();
    }
    return 0;
}
END
}

recorded() { # TIMING [PART: of the work that the functions do]
    write_program
    [ $# = 1 ] || sed -i "s/while (turns--)/for (turns = turns > 1000 ? turns : turns \/ $2; turns > 0; turns--)/" turns.c
    config "\"timing\": \"$1\", \"timing_samples\": \"off\""
    build turns
    run_well ./turns
}

# Issue: every call is counted, always.
test_all_calls_are_counted_where_short_ones_are_not_timed() {
    check() {
        recorded adaptive
        expect_calls turns_all.log one 1000000
        expect_calls turns_all.log two 1250000
        expect_calls turns_all.log five 1000000
        expect_calls turns_all.log pair 1000000
        expect_calls turns_all.log long_one 100
        expect_stack turns_all.log 'two<pair<main<init'
        stacks_at_most turns_all.log 7
    }
    with_each_compiler check
}

# Issue: the table marks estimated rows and their confidence. Rarely called or long-running paths stay exact.
test_estimated_rows_are_marked_exact_ones_are_not() {
    recorded adaptive
    grep -q '^Note: [0-9]* of 4250102 calls were counted and not timed' turns_all.log || fail "the log does not say how many calls were counted only: $(grep Note turns_all.log)"
    awk -F'|' '/^Runtime profile$/ { on = 1 } /^$/ { on = on && !rows ? on : 0 } on && NF > 6 { rows = 1; print $9, $6 }' turns_all.log >marks
    grep -q '±' marks || fail "the runtime profile has no column for what is uncertain: $(cat marks)"
    grep -qE '^ *[0-9.]+ +five *$' marks || fail "five is not marked as estimated: $(cat marks)"
    grep -qE '^ *---- +long_one *$' marks || fail "long_one is not shown as exact: $(cat marks)"
    recorded exact
    ! grep -q 'counted and not timed' turns_all.log || fail "exact times are marked as estimates"
}

# Issue: say what share of the time is uncertain because of what hooks cost, with the remedy, and keep such rows marked
test_times_of_which_hooks_took_much_are_marked() {
    local timing
    for timing in exact adaptive; do
        recorded $timing 12
        # The first where hooks take more than a third of the CPU time.
        grep -qE -e '^ .* %  Hooks: +hooks took .*known to [0-9]+ %: .* vftr filter suggest names' \
            -e '^Note: what hooks cost .* known to [0-9]+ %: the application time may be off by [0-9.]* s, ([0-9]* % of it|more than all of it), .*\(vftr flags, vftr filter suggest\) make it certain' turns_all.log ||
            fail "with $timing timing the log does not say how much is uncertain: $(grep Note turns_all.log)"
        awk -F'|' '/^Runtime profile$/ { on = 1 } /^$/ { on = on && !rows ? on : 0 } on && NF > 6 { rows = 1; gsub(/[ >]/, ""); print $6, $9 + 0 }' turns_all.log >marks
        awk '$1 == "pair" { pair = $2 } $1 == "long_one" { long = $2 } END { exit !(pair > 3 && long < 1) }' marks ||
            fail "with $timing timing it is not pair whose time is uncertain, and long_one whose time is not: $(cat marks)"
    done
}

# Issue: inclusive and exclusive times of all ancestors stay consistent. Error of every function's share: how small it is, the unit tests of adaptive timing
# tell by clocks of their own, and bench by real ones; here who works more has more time.
test_the_times_of_a_table_add_up() {
    recorded adaptive
    awk -F'|' '/^Runtime profile$/ { on = 1 } on && /^$/ { on = rows ? 0 : on }
        on && $2 + 0 > 0 { rows++; sum += $4; t += $3; f = $6; gsub(/ /, "", f); incl[f] = $5; own[f] = $3 }
        END {
            if (sum < 99 || sum > 101) print "shares add up to " sum " %"
            if (incl["init"] - t > 0.01 || t - incl["init"] > 0.01) print "init has " incl["init"] " s, exclusive times add up to " t " s"
            if (own["one"] <= 0 || own["two"] <= own["one"] || own["five"] <= own["two"]) print "one has " own["one"] " s, two " own["two"] ", five " own["five"]
            if (incl["main"] > incl["init"] || incl["pair"] > incl["main"]) print "what is called takes longer than its caller"
        }' turns_all.log >wrong
    [ ! -s wrong ] || fail "$(cat wrong)"
}

# Issue: raw times on request; the reported total application time estimates the uninstrumented run.
test_raw_times_are_the_others_and_the_overhead() {
    write_program
    config '"profile_table": {"show_overhead": true}, "timing": "exact", "timing_samples": "off"' # of which spin, without hooks, would have the times
    sed -i 's/^"profile_table": {"max_rows": 0}, //' config.json
    build turns
    run_well ./turns
    awk -F'|' '/^Total runtime:/ { split($0, w, " "); total = w[3] } /^Application time:/ { split($0, w, " "); application = w[3] } /^Waiting for a core:/ { split($0, w, " "); total -= w[5] } /^ *One-time work:/ { split($0, w, " "); total -= w[3] }
        /^Runtime profile$/ { on = 1 } on && /^$/ { on = rows ? 0 : on }
        on && $2 + 0 > 0 { rows++; sum += $3; overhead += $6; raw += $7 }
        END {
            most = 0.02 + 0.03 * total # times of the head are rounded to a hundredth
            if (raw - sum - overhead > most || sum + overhead - raw > most) print "raw times are " raw " s, not " sum " and " overhead
            if (application - sum > most || sum - application > most) print "the application took " application " s, its functions " sum
            if (total - raw > most || raw - total > most) print "the run took " total " s, raw times add up to " raw
            if (overhead <= 0) print "hooks cost nothing"
        }' turns_all.log >wrong
    [ ! -s wrong ] || fail "$(cat wrong)"
}

run_tests
