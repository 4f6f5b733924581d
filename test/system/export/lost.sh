# SPDX-License-Identifier: BSD-3-Clause
# Recordings that lack something, in all formats: each says so, in itself or where it has no place for that on the terminal, and what is there can be read.
. "${srcdir:-.}/test/system/export/lib_export.sh"

have python3 || { echo "skip: no python3" && exit 77; }
find_python_of_otf2
find_go

recorded_program() {
    if [ ! -e "$shared/lost" ]; then
        build lost.c <<'END'
#include <signal.h>
#include <stdlib.h>
static int leaf(int n) { return n; }
static int many(int n) { int sum = 0; while (n--) sum += leaf(n); return sum; }
int main(int argc, char **argv)
{
    many(atoi(argv[1]));
    return argc > 2 ? raise(SIGKILL) : 0;
}
END
        mv lost "$shared/"
    fi
    cp "$shared/lost" .
    config '"sampling": {"active": true, "sample_interval": 0}'
}

# text_of FORMAT: what its file or folder of.FORMAT says, with line breaks of graphs as blanks.
text_of() {
    case $1 in
    html) sed -n '/id="data"/{n;p}' of.html | base64 -d | gzip -dc ;;
    *) if [ -d "of.$1" ]; then find "of.$1" -type f -exec cat {} +; else gzip -dcf "of.$1"; fi ;;
    esac | sed 's/\\n/ /g'
}
# expect_said RECORDING EXPRESSION [files]: by each format, or by those that have a place for it.
expect_said() {
    local format formats
    formats=$(all_formats)
    expect_at_least "$(wc -w <<<"$formats")" 7 "formats"
    for format in $formats; do
        rm -rf "of.$format"
        run "$vftr" export --format="$format" -o "of.$format" "$1"
        expect_status 0
        case $format${3:-} in
        csvfiles | eventsfiles | foldedfiles) ;;
        csv | events | folded)
            grep -qE "^vftr: $format: .*($2)" err || fail "$format: nothing is said on the terminal: $(cat err)"
            ! text_of "$format" | grep -qE "$2" || fail "$format: it stands in the table"
            ;;
        *)
            expect_same "$(cat err)" "" "what the terminal sees of $format"
            text_of "$format" | grep -qaE "$2" || fail "$format: nothing is said in the file"
            ;;
        esac
    done
}
# The readers of what export_functions.py does not read.
expect_readable() {
    python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("of.flamegraph")' 2>err || fail "flamegraph: $(tail -1 err)"
    ! have dot || dot -Tplain of.dot >drawn 2>err || fail "dot: $(cat err)"
    ! have callgrind_annotate || callgrind_annotate of.callgrind >annotated 2>err || fail "callgrind_annotate: $(cat err)"
    [ -z "$go" ] || [ ! -e of.pprof ] || HOME=$PWD GOFLAGS='' "$go" tool pprof -top of.pprof >top 2>err || fail "pprof: $(cat err)"
    ! have otf2-print || [ ! -e of.otf2 ] || otf2-print -Werror of.otf2/traces.otf2 >printed 2>err || fail "otf2-print: $(cat err)"
}

# Issue: Data that was lost, estimated or cut is said inside the file.
test_a_recording_that_could_not_grow_says_so_in_each_format() {
    recorded_program
    run bash -c 'ulimit -f 100; ./lost 60000'
    expect_status 0
    expect_said_once 'vftrace: warning:'
    expect_said lost_0.vfd 'could not grow|end early'
    expect_readable
    report lost_0.vfd
    expected_of report
    read_all_formats lost_0.vfd
    expect_calls_of_profiles
    expect_times_in_all_formats
    expect_at_least "$(awk -F'\t' '$1 == "events" && $5 == "leaf" { print $3 }' read)" 1000 "calls of leaf in the timeline"
    awk -F'\t' '$1 == "events" { print $3 "\t" $5 }' read >expected
    expect_calls_of_timelines
}

# The program has ended as it should, so that nothing but its events tells that they are damaged.
test_a_recording_that_was_damaged_says_so_in_each_timeline() {
    local format formats
    recorded_program
    run_well ./lost 60000
    formats=$(all_formats | grep -xE 'speedscope|chrome|perfetto|otf2|vfd3|events|html')
    expect_at_least "$(wc -w <<<"$formats")" 2 "formats"
    export_all() {
        for format in $formats; do
            rm -rf "of.$format"
            run "$vftr" export --format="$format" -o "of.$format" lost_0.vfd
            expect_status 0
            { text_of "$format" && cat err; } | grep -qa 'end early' && echo "$format"
        done
        "$vftr" export --format=events -o - lost_0.vfd 2>said >table
        ! grep -q 'end early' said || echo "standard output"
    }
    expect_same "$(export_all)" "" "formats that say that a whole timeline ends early"
    printf '\377%.0s' {1..64} | dd of=lost_0.vfd bs=1 seek=$(($(stat -c %s lost_0.vfd) * 6 / 10)) conv=notrunc status=none
    expect_same "$(export_all)" "$formats
standard output" "formats that say so"
    expect_at_least "$(grep -c ',leaf,' table)" 1000 "calls of leaf before the damage"
}

# The first format of a command finds out that events are damaged, the others know it from the first.
test_a_damaged_recording_gives_the_same_file_alone_and_after_another_format() {
    needs RAPIDJSON
    recorded_program
    config '"sampling": {"active": true, "sample_interval": 0, "keep_last": "10 s"}'
    run_well ./lost 60000
    printf '\377%.0s' {1..64} | dd of=lost_0.vfd bs=1 seek=$(($(stat -c %s lost_0.vfd) * 6 / 10)) conv=notrunc status=none
    run_well "$vftr" export --format=chrome -o alone lost_0.vfd
    grep -q 'end early' alone || fail "nothing is damaged"
    run_well "$vftr" export --format=events,chrome lost_0.vfd
    cmp alone "$(grep trace.json out)" || fail "the files differ"
}

# Issue: `.tmpvfd` of killed or running programs
test_a_killed_program_is_told_in_each_format() {
    recorded_program
    may_be_killed=yes run ./lost 100 killed 2>shell
    expect_status 137
    expect_said lost_*.tmpvfd 'killed'
    expect_readable
    report lost_*.tmpvfd
    expect_calls report leaf 100
    expect_functions_in_all_formats report lost_*.tmpvfd
}

# Tables have a column for it.
test_times_that_are_estimated_are_told_in_each_format() {
    recorded_program
    config '"sampling": {"active": true}, "timing": "adaptive"'
    run_well ./lost 3000000
    expect_said lost_0.vfd 'calls were counted and not timed: their times are estimated' files
}

run_tests
