# SPDX-License-Identifier: BSD-3-Clause
# vftr diff of real recordings: what matches, what is said of it, in all formats, and what is refused.
if [ -n "${MPICC:-}" ]; then
    . "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
else
    . "${srcdir:-.}/test/system/lib.sh"
fi
. "$srcdir/test/system/compare/programs.sh"

needs_comparison() { needs BOOST_MATH; }

both_recorded() {
    needs_comparison
    two_versions
    record before base
    record after new
}

test_a_much_slower_function_is_named_and_its_caller_is_not() {
    both_recorded
    diffed base new
    expect_same "$(cell busy 8)" slower "the verdict of busy"
    expect_same "$(grep -c '| *slower |' out)" 1 "slower rows"
    grep -q '^New is [0-9.]* % slower: .*one run each). Of [0-9]* functions 1 slower, 0 faster,' out || fail "the first line is: $(head -1 out)"
    diffed new base
    expect_same "$(cell busy 8)" faster "the verdict of busy the other way round"
}

test_new_gone_and_renamed_functions_and_changed_calls_are_told() {
    both_recorded
    diffed base -- new
    expect_same "$(cell fresh 8)" new "the verdict of fresh"
    expect_same "$(cell fresh 6)" ---- "calls of fresh in the base"
    expect_same "$(cell stale 8)" gone "the verdict of stale"
    expect_same "$(cell leaf 6) $(cell leaf 7)" "15 30" "calls of leaf"
    expect_same "$(cell leaf 10)" "calls +100.0 %" "the remark of leaf"
    expect_no_row main
    expect_no_row work
    diffed --all base -- new
    expect_row main
    expect_row work
}

test_what_is_below_a_new_layer_of_calls_has_moved() {
    both_recorded
    cat >layered.c <<'END_OF_C'
void leaf(void) { __asm__(""); }
void work(void) { for (int i = 0; i < 7; ++i) leaf(); }
#ifdef NEW
void layer(void) { work(); }
#else
#define layer work
#endif
int main(void) { for (int i = 0; i < 3; ++i) layer(); return 0; }
END_OF_C
    build flat.c <layered.c
    build deep.c -DNEW <layered.c
    record flat flat.d
    record deep deep.d
    diffed --paths --all flat.d deep.d
    expect_same "$(cell 'layer<main<init' 8)" new "the verdict of layer"
    expect_same "$(cell 'work<layer<main<init' 10)" "moved: was called by main" "the remark of work"
    expect_same "$(cell 'leaf<work<layer<main<init' 6) $(cell 'leaf<work<layer<main<init' 7)" "21 21" "calls of leaf"
    expect_no_row 'work<main<init'
    diffed --all flat.d deep.d
    expect_same "$(grep -c '| *gone |' out)" 0 "functions that are gone"
}

# one.d and two.d: a program, and the same with another name for a function.
renamed_recorded() {
    needs_comparison
    echo 'void leaf(void) { __asm__(""); } void NAME(void) { leaf(); leaf(); } int main(void) { for (int i = 0; i < 9; ++i) NAME(); return 0; }' >name.c
    build one.c -DNAME=solve <name.c
    build two.c -DNAME=iterate <name.c
    record one one.d
    record two two.d
}

test_a_renamed_function_is_the_same_one() {
    renamed_recorded
    diffed one.d two.d
    expect_same "$(cell iterate 10)" "renamed: was solve" "the remark"
    expect_same "$(cell iterate 6) $(cell iterate 7)" "9 9" "its calls"
    expect_no_row solve
    diffed --paths --all one.d two.d
    expect_same "$(cell 'leaf<iterate<main<init' 6)" 18 "calls of its callee in the base"
}

test_folders_and_files_of_several_runs_are_counted_as_runs() {
    both_recorded
    record before base2 base3
    record after new2
    diffed base base2 base3/before_all.vfd -- new new2
    grep -q '; 3 runs and 2 runs)' out || fail "the first line is: $(head -1 out)"
    ! grep -q 'One run each' out || fail "it speaks of one run each"
    mkdir all
    for run in base base2 base3; do cp $run/before_all.vfd all/$run.vfd; done
    diffed all -- new/after_all.vfd
    grep -q '; 3 runs and one run)' out || fail "of a folder with three runs: $(head -1 out)"
    diffed base base base -- new # the same recording is one run
    grep -q '; one run each)' out || fail "of one recording: $(head -1 out)"
}

test_a_run_does_not_differ_from_itself() {
    both_recorded
    for by in sum mean max; do
        diffed --by=$by base base
        grep -q ' 0 slower, 0 faster, ' out || fail "it differs: $(cat out)"
        ! grep -q ' new,\| gone\|another number' out || fail "something is new or gone: $(head -1 out)"
    done
}

test_a_condition_gives_the_exit_code_1_and_names_the_rows() {
    both_recorded
    expect_refused 1 'slower>5%: busy (+' "$vftr" diff --fail-if='slower>5%' base new
    grep -q busy out || fail "the table is not there"
    diffed --fail-if='faster' --fail-if='^leaf$:slower>5%' --fail-if='slower>1000000%' base new
    expect_refused 1 'vftr diff: ^leaf$:calls_change>0%: leaf' "$vftr" diff --fail-if='^leaf$:calls_change>0%' base new
}

test_folded_stacks_have_the_times_of_vftr_export() {
    both_recorded
    diffed --format=folded base new
    for side in base new; do
        "$vftr" export --format=folded -o - $side/*_all.vfd 2>/dev/null | sed 's/;solve;/;x;/; s/;layer;solve_all/;layer;x/; s/;solve_all/;x/; s/;solve /;x /' | awk '{ all += $NF } END { print all }' >$side.sum
    done
    expect_same "$(awk '{ all += $(NF - 1) } END { print all }' out)" "$(cat base.sum)" "ns of the base"
    expect_same "$(awk '{ all += $NF } END { print all }' out)" "$(cat new.sum)" "ns of the new side"
    grep -qE '^init;main;busy [0-9]+ [0-9]+$' out || fail "no busy: $(cat out)"
}

test_all_formats_have_the_same_figures() {
    both_recorded
    needs RAPIDJSON
    diffed --format=csv -o rows.csv base new
    expect_same "$(cat out)" "" "standard output"
    diffed --format=json -o rows.json base new
    python_with json
    "$python" - <<'END_OF_PYTHON' || fail "the formats differ"
import csv, json
rows = {row["function"]: row for row in csv.DictReader(open("rows.csv"))}
document = json.load(open("rows.json"))
assert len(rows) == len(document["rows"]) > 5, len(rows)
assert document["base"]["runs"] == 1 and document["unit"] == "s"
assert document["total"]["verdict"] == "slower", document["total"]
for row in document["rows"]:
    other = rows[row["function"]]
    for name in "base", "new", "difference":
        assert float(other[name]) == row[name], (name, row, other)
    assert other["verdict"] == row["verdict"]
    assert int(other["new_calls_max"]) == row["new_calls"][1]
assert rows["leaf"]["base_calls_min"] == "15" and rows["leaf"]["calls_changed"] == "1"
END_OF_PYTHON
}

# Calls that take as long as is said by CPU time, so that whatever else runs does not make one shorter: 2900 of 10 µs, 98 of MIDDLE, 100 µs and
# then 1 ms, and two of 5 ms. So 99 % of both programs differ, and the half does not.
spread_recorded() {
    needs_comparison
    cat >spread.c <<'END_OF_C'
#include <time.h>
__attribute__((no_instrument_function)) static long cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
__attribute__((noinline)) void work(long ns) { for (long end = cpu() + ns; cpu() < end;); }
int main(void)
{
    for (int i = 0; i < 2900; i++) work(10000);
    for (int i = 0; i < 98; i++) work(MIDDLE);
    for (int i = 0; i < 2; i++) work(5000000);
    return 0;
}
END_OF_C
    build before.c -DMIDDLE=100000 <spread.c
    build after.c -DMIDDLE=1000000 <spread.c
    config
    sed -i 's/"profile_table": {/&"show_distribution": true, /' config.json
    record before base
    record after new
    unset VFTR_CONFIG
}

test_single_calls_of_both_sides_are_compared() {
    spread_recorded
    diffed base new
    grep -q '^Single calls$' out || fail "no table of single calls: $(cat out)"
    # The 99 % are the calls of MIDDLE; where much else runs, those of 10 µs may seem longer.
    awk -F'|' '/^Single calls$/ { on = 1 } on && $13 ~ /^ *work *$/ { print $9 $10 }' out >p99
    grep -qE '^ +[0-9.]+ ms +\+[0-9.]+ (µs|ms) $' p99 || fail "99 % of work: $(cat p99 out)"
    diffed --format=csv -o rows.csv base new
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        $1 == "work" {
            found = 1
            count = split("median p90 p99", names, " ")
            for (i = 1; i <= count; i++) {
                name = names[i]
                base = $column["base_" name "_call_ns"]; new = $column["new_" name "_call_ns"]; difference = $column[name "_call_difference_ns"]
                if (base < 8000 || new < 8000 || new - base != difference) print name, base, new, difference
            }
            if ($column["base_p99_call_ns"] < 80000 || new < 800000 || difference < 100000) print "99 %:", base, new, difference
            if ($column["base_timed_calls"] < 2400 || $column["base_timed_calls"] > 3000) print "calls", $column["base_timed_calls"]
        }
        END { if (!found) print "no row" }' rows.csv >wrong
    expect_same "$(cat wrong)" "" "percentiles in csv"
    expect_refused 1 'vftr diff: ^work$:p99_change>25%: work (' "$vftr" diff --fail-if='^work$:p99_change>25%' base new
    diffed --fail-if='p99_change>25%' base base
    grep -q 'rows\? whose single calls do not differ' out || fail "the same run: $(cat out)"
    ! has RAPIDJSON || {
        diffed --format=json -o spread.json base new
        expect_comparisons spread.json
        grep -q '"p99_call_difference_ns":' spread.json || fail "no durations in JSON"
    }
}

test_json_fits_its_schema() {
    both_recorded
    needs RAPIDJSON
    diffed --format=json -o functions.json base new
    diffed --format=json --paths -o paths.json base new
    diffed --format=json --normalise=time -o percent.json new base
    diffed --format=json --normalise='calls:^work$' --by=mean -o calls.json base new
    record before base2 base3
    diffed --format=json -o runs.json base base2 base3 -- new
    renamed_recorded
    diffed --format=json -o renamed.json one.d two.d
    expect_comparisons functions.json paths.json percent.json calls.json runs.json renamed.json
    # What makes it a test: each kind of row is there, and a member that no schema knows is told.
    expect_same "$(grep -o '"verdict":"[a-z ]*"' functions.json paths.json | cut -d: -f3 | sort -u | grep -cE 'slower|new|gone')" 3 "kinds of rows"
    grep -q '"renamed_from":"solve"' renamed.json && grep -q '"moved_from":"solve"' paths.json || fail "nothing is renamed or moved"
    sed 's/"unit"/"unity"/' functions.json >wrong.json
    (expect_comparisons wrong.json) >/dev/null 2>&1 && fail "the schema takes anything"
    return 0
}

test_another_number_of_ranks_is_told() {
    needs_comparison
    [ -n "${MPICC:-}" ] || skip "no MPI"
    printf '#include <mpi.h>\nvoid f(void) { __asm__(""); }
int main(int argc, char **argv) { MPI_Init(&argc, &argv); for (int i = 0; i < 6; ++i) f(); return MPI_Finalize(); }\n' | build_mpi job.c
    for ranks in 1 2; do
        mkdir $ranks
        VFTR_OUTPUT_DIRECTORY=$PWD/$ranks ranks_well $ranks ./job
    done
    diffed --all 1 2
    grep -q '^The sides have 1 and 2 ranks; times are sums' out || fail "it does not tell: $(cat out)"
    expect_same "$(cell f 6) $(cell f 7)" "6 12" "calls"
    expect_same "$(cell f 10)" "" "the remark, as each rank does the same"
}

test_wrong_usage_is_told_in_one_line() {
    both_recorded
    expect_refused 2 'give the files of both sides' "$vftr" diff base
    expect_refused 2 'give the files of both sides' "$vftr" diff base --
    expect_refused 2 'give the files of both sides' "$vftr" diff -- new
    expect_refused 2 'give the files of both sides' "$vftr" diff base new base
    expect_refused 2 "--by is sum, mean or max, not least" "$vftr" diff --by=least base new
    expect_refused 2 "--normalise is time or calls:REGEX, not calls:" "$vftr" diff --normalise=calls: base new
    expect_refused 2 "the regular expression is wrong" "$vftr" diff --normalise='calls:(' base new
    expect_refused 2 "a condition is one of slower, faster" "$vftr" diff --fail-if=worse base new
    expect_refused 2 "--format is text, json, csv, folded or html, not xml" "$vftr" diff --format=xml base new
    expect_refused 2 "goes with no other option" "$vftr" diff --format=html --paths base new
    expect_refused 2 "vftr diff, which compares the recordings" "$vftr" ab --format=html --base true --new true
    expect_refused 2 "--noise needs a percentage" "$vftr" diff --noise=-1 base new
    expect_refused 2 "--max-rows needs a number" "$vftr" diff --max-rows=-1 base new
    expect_refused 2 "does not go with --normalise" "$vftr" diff --format=folded --normalise=time base new
    expect_refused 1 'no calls of such a function' "$vftr" diff --normalise=calls:nobody base new
}

test_what_is_no_recording_is_told_in_one_line() {
    both_recorded
    echo nothing >text.vfd
    mkdir empty
    expect_refused 1 text.vfd "$vftr" diff base text.vfd
    expect_refused 1 'empty: has no recordings' "$vftr" diff empty new
    expect_refused 1 missing.vfd "$vftr" diff base missing.vfd
    expect_refused 1 'cannot write to standard output' bash -c '"$0" diff --all base new >/dev/full' "$vftr"
    expect_refused 1 no/where "$vftr" diff -o no/where base new
}

run_tests
