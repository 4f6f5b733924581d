# SPDX-License-Identifier: BSD-3-Clause
# What others wrote: files that claim more than they hold, and names that are not what one expects.
. "${srcdir:-.}/test/system/lib.sh"

# A recording of a process that was killed, `killed.vfd`, and one of a process that ended, `ended.vfd`.
two_recordings() {
    build victim.c <<'END'
#include <signal.h>
void leaf(void) {}
int main(int argc, char** argv) {
    for (int i = 0; i < 123; i++)
        leaf();
    return argc > 1 ? raise(SIGKILL) : 0;
}
END
    may_be_killed=1 run ./victim x
    mv victim_*vfd killed.vfd || fail "no recording of the killed process"
    run_well ./victim
    rm -f victim_*_all.vfd victim_*.log
    mv victim_*.vfd ended.vfd || fail "no recording of the process that ended"
}

# Issue: One file with a valid header and 500 GB of hole hangs every reader, and through report DIR the folder
test_a_file_that_is_a_hole_for_the_most_part_takes_no_time() {
    two_recordings
    mkdir folder
    cp killed.vfd folder/hole.vfd
    cp ended.vfd folder/ended.vfd
    head -c 4096 killed.vfd >folder/header.vfd
    truncate -s 500G folder/hole.vfd folder/header.vfd folder/ended.vfd 2>/dev/null || skip "no files of 500 GB here"
    run_limit=60 # a walk over 500 GB takes minutes
    run "$vftr" report folder/hole.vfd
    expect_status 0
    grep -q '123 .* leaf ' out || fail "the calls before the hole are lost: $(cat out err)"
    run "$vftr" report folder/ended.vfd
    grep -q '123 .* leaf ' out || fail "the calls of a file that is too long are lost: $(cat out err)"
    for verb in report dump waits ps "top --once" recover "export --format=folded"; do
        # shellcheck disable=SC2086
        run "$vftr" $verb folder/hole.vfd
        # shellcheck disable=SC2086
        run "$vftr" $verb folder/header.vfd
        [ "$status" -le 2 ] || fail "vftr $verb: $status"
    done
    run "$vftr" report folder
    grep -q '246 .* leaf \|123 .* leaf ' out || fail "the folder is not shown: $(cat out err)"
}

# Issue: One file with a valid header and 500 GB of hole hangs every reader (its sibling: a segment that claims the hole)
test_a_segment_that_claims_a_hole_is_damage() {
    two_recordings
    local at
    cp killed.vfd claims.vfd
    truncate -s 500G claims.vfd 2>/dev/null || skip "no files of 500 GB here"
    at=$(grep -abo SEGM killed.vfd | head -1 | cut -d: -f1)
    # Its size becomes 400 GiB, and what it has used of that 399 GiB.
    printf '\0\0\0\0\144\0\0\0\0\0\0\300\143\0\0\0' | dd of=claims.vfd bs=1 seek=$((at + 16)) conv=notrunc 2>/dev/null
    run_limit=60
    run "$vftr" report claims.vfd
    expect_status 1
    grep -q 'more bytes used than the file has on the disk' err || fail "it says: $(cat err)"
}

# Issue: One file with a valid header and 500 GB of hole hangs every reader (its siblings: merged profiles and files of symbols)
test_holes_in_merged_profiles_and_files_of_symbols_take_no_time() {
    build program.c <<'END'
void leaf(void) {}
int main(void) {
    for (int i = 0; i < 123; i++)
        leaf();
    return 0;
}
END
    printf '{"sampling": {"active": true, "sample_interval": 0}}' >timeline.json
    export VFTR_CONFIG=$PWD/timeline.json
    run_well ./program
    local at symbols file
    mv program_all.vfd whole.vfd || fail "no merged profile"
    symbols=$(echo vftrace_symbols/*program.sym)
    [ -f "$symbols" ] || fail "no file of symbols"
    mkdir folder
    cp whole.vfd folder/long.vfd
    cp whole.vfd folder/claims.vfd
    head -c 4096 whole.vfd >folder/header.vfd
    truncate -s 500G folder/*.vfd 2>/dev/null || skip "no files of 500 GB here"
    # The profile is the last segment: its size becomes 400 GiB, and what it has used of that 399 GiB.
    at=$(grep -abo SEGM whole.vfd | tail -1 | cut -d: -f1)
    printf '\0\0\0\0\144\0\0\0\0\0\0\300\143\0\0\0' | dd of=folder/claims.vfd bs=1 seek=$((at + 16)) conv=notrunc 2>/dev/null
    run_limit=60
    run "$vftr" report folder/long.vfd
    expect_status 0
    grep -q '123 .* leaf ' out || fail "the calls of a file that is too long are lost: $(cat out err)"
    for verb in report dump waits ps "top --once" recover "filter suggest" "export --format=csv"; do
        for file in long claims header; do
            # shellcheck disable=SC2086
            run "$vftr" $verb folder/$file.vfd
            [ "$status" -le 2 ] || fail "vftr $verb of $file: $status $(cat err)"
        done
    done
    run "$vftr" report folder
    [ "$status" -le 2 ] || fail "vftr report of the folder: $status"
    # A file of symbols that claims 4,294,967,294 functions (at byte 24) and 500 GB (at byte 56), which it has: a hole.
    printf '\376\377\377\377\0\0\0\0' | dd of="$symbols" bs=1 seek=24 conv=notrunc 2>/dev/null
    printf '\0\0\0\0\175\0\0\0' | dd of="$symbols" bs=1 seek=56 conv=notrunc 2>/dev/null
    truncate -s 500G "$symbols"
    rm -f program_all.vfd
    for file in program_*.vfd; do
        run "$vftr" report "$file"
        expect_status 0
        run "$vftr" dump "$file"
        expect_status 0
    done
    run_well ./program
}

# Issue: Names with | (std::operator|) break a table's columns for whoever parses it
test_names_with_bars_leave_the_columns_of_a_table_in_place() {
    build bars.cpp <<'END'
struct Set { int bits; };
Set operator|(Set a, Set b) { return {a.bits | b.bits}; }
bool operator||(Set a, Set b) { return (a.bits | b.bits) != 0; }
Set& operator|=(Set& a, Set b) { a.bits |= b.bits; return a; }
int main() {
    Set a{1}, b{2};
    for (int i = 0; i < 7; i++) a = a | b;
    for (int i = 0; i < 8; i++) a.bits += a || b;
    for (int i = 0; i < 9; i++) a |= b;
    return 0;
}
END
    run_well ./bars
    # A bar behind a backslash is one of the cell, a backslash behind a backslash too.
    awk '/^Runtime profile$/ { on = 1 } /^$/ && n { exit }
         on && /^\|/ {
            gsub(/\\\\/, "\001"); gsub(/\\\|/, "\002")
            n = split($0, cell, "|")
            for (i = 1; i <= n; i++) { gsub(/\001/, "\\", cell[i]); gsub(/\002/, "|", cell[i]); gsub(/^ +| +$/, "", cell[i]) }
            if (!columns) { columns = n; for (i = 1; i <= n; i++) { if (cell[i] == "Function") f = i; if (cell[i] == "Calls") c = i }; next }
            if (n != columns) print "a row of " n " columns: " $0
            if (cell[f] ~ /operator/) print cell[c], cell[f]
         }' bars_*.log | sort >rows
    expect_same "$(cat rows)" '7 operator|(Set, Set)
8 operator||(Set, Set)
9 operator|=(Set&, Set)' "rows that were parsed"
    awk '/^[|+]/ { if (!length_of) length_of = length($0); if (length($0) != length_of) exit 1; next } { length_of = 0 }' <(sed 's/±/x/' bars_*.log) || # of which awk may count the bytes
        fail "the borders of a table are not straight"
}

# no_controls FILE…: of the verb that was run last; also marks of bidirectional text.
no_controls() {
    local found
    found=$(LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4])(?<![\xe0-\xf4][\x80-\xbf])(?<![\xf0-\xf4][\x80-\xbf]{2})[\x80-\xbf]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]' "$@" |
        head -3 | cut -c1-300 | cat -v)
    [ -z "$found" ] || fail "control characters in the output of $verb: $found"
}

# Issue: Control characters (ESC, and C1: 0x9b, U+009B) reach the terminal in report DIR titles, recover, run, config check
test_no_verb_prints_control_characters() {
    local evil verb
    evil=$'e\033[31m\302\233m\233m\177\342\200\256\ttail\303\244'
    build victim.c <<'END'
#include "vftrace.h"
#include <signal.h>
#include <string.h>
int main(int argc, char** argv) {
    vftrace_region_begin(argv[1]);
    vftrace_region_end(argv[1]);
    return argc > 2 && !strcmp(argv[2], "die") ? raise(SIGKILL) : 0;
}
END
    mkdir "$evil" "folder $evil"
    cp victim "$evil/$evil"
    printf '{"outfile_basename": "b\\u001b[1m\\u009b\302\233", "samp\\u001b\\u009b\302\233ling": 1, "off\233": 2, "off": "\\u009b\342\200\256"}\n' >"$evil.json"
    printf '{"outfile_basename": "b\\u001b[1m\\u009b\302\233", "sampling": {"active": true, "sample_interval": 0}}\n' >good.json
    expect_no_controls() {
        verb="vftr $1"
        run "$vftr" "$@"
        no_controls out err
    }
    expect_no_controls config check "$evil.json" "none $evil.json"
    verb="a run"
    VFTR_CONFIG=$evil.json run "$evil/$evil" "$evil"
    no_controls err
    rm -rf ./*.vfd
    cd "folder $evil" || fail "no folder"
    export VFTR_CONFIG=$PWD/../good.json
    may_be_killed=1 run "../$evil/$evil" "$evil" die
    run "../$evil/$evil" "$evil" "$evil"
    ls | grep -q tmpvfd || fail "no recording of the killed process"
    no_controls ./*.log
    cd ..
    verb="a run that cannot write"
    VFTR_OUTPUT_DIRECTORY=/nonexistent/$evil run "$evil/$evil" "$evil"
    no_controls err
    for verb in report dump waits "dump --show_records" "filter suggest" "top --once" "export --format=callgrind -o -"; do
        for file in "folder $evil"/*vfd; do
            # shellcheck disable=SC2086
            expect_no_controls $verb "$file"
        done
    done
    for verb in "report" "report --only-tree" "ps" "ps --wide" "filter suggest"; do
        # shellcheck disable=SC2086
        expect_no_controls $verb "folder $evil"
    done
    expect_no_controls report "nothing $evil"
    expect_no_controls recover "nothing $evil" "folder $evil"/*tmpvfd
    expect_no_controls doctor -- "$evil/$evil"
    expect_no_controls doctor "$evil/$evil" "folder $evil"
    expect_no_controls run -- "$evil/$evil" "$evil"
    expect_no_controls run --config "$evil.json" -- "$evil/$evil" "$evil"
    expect_no_controls run -- "./nothing $evil"
    expect_no_controls "verb $evil"
    # Issue: the name of a compiler came back as it was given.
    expect_no_controls flags "$evil"
    # Issue: the configuration in a log had a byte that is not UTF-8, and was no JSON.
    mkdir "$evil.out"
    unset VFTR_CONFIG
    VFTR_OUTPUT_DIRECTORY=$evil.out run "$evil/$evil" name
    verb="the log of a run"
    no_controls "$evil.out"/*.log
    grep -q '"output_directory": ".*\\ufffd' "$evil.out"/*.log || fail "the folder in the log: $(grep -a output_directory "$evil.out"/*.log)"
}

run_tests
