# SPDX-License-Identifier: BSD-3-Clause
# Profiles for kcachegrind and callgrind_annotate: what the latter prints, and what the former refuses.
. "${srcdir:-.}/test/system/export/lib_export.sh"

have python3 || { echo "skip: no python3" && exit 77; }

# Functions of a program and of its threads, with names that have what callgrind_annotate puts around them.
recorded_program() {
    if [ ! -e "$shared/prog" ]; then
        build prog.cpp <<'END'
#include <thread>
#define N __attribute__((noinline))
template <class T, char c> struct Box { N int operator()(T n) const { volatile T x = n + c; return x; } N int operator[](T n) const { return n; } };
N int leaf(int n) { volatile int x = n; return x; }
N int deep(int n) { return n == 0 ? leaf(n) : deep(n - 1) + 1; }
N int even(int n);
N int odd(int n) { return n == 0 ? leaf(0) : even(n - 1); }
N int even(int n) { return n == 0 ? 1 : odd(n - 1); }
N void worker(int n) { for (int i = 0; i < 1000 * n; i++) leaf(Box<int, ':'>()(i) + Box<long, '['>()[i]); }
int main()
{
    std::thread one(worker, 1), two(worker, 2);
    one.join();
    two.join();
    return deep(100) + odd(20) == 0;
}
END
        config '"sampling": {"active": true}, "max_recursion": 500, "include_cxx_prelude": true'
        run_well ./prog
        mv prog prog_* "$shared/"
    fi
    cp "$shared"/prog* .
}

# annotated FILE: what callgrind_annotate prints of it, as lines "function<TAB>ns<TAB>calls" of the file `annotated`, and of the totals in `totals`.
annotated() {
    have callgrind_annotate || skip "no callgrind_annotate"
    callgrind_annotate --threshold=100 --show=ns,Calls "$1" >printed 2>annotate.err || fail "callgrind_annotate: $(head -3 annotate.err)"
    python3 - >annotated 2>said <<'END' || fail "$(tail -2 said)"
import re
number = r' *([\d,]+)(?: \( *[\d.]+%\)| *)'
with open('totals', 'w') as totals:
    for line in open('printed'):
        row = re.fullmatch(number + number + r' +(?:\?\?\?:(.*) \[[^][]*\]|PROGRAM TOTALS(?: \(calculated\))?)\n', line)
        if row:
            ns, calls = (int(digits.replace(',', '')) for digits in row.group(1, 2))
            print(*((row[3],) if row[3] is not None else ()), ns, calls, sep='\t', file=None if row[3] is not None else totals)
END
}
# expect_annotated FILE CSV: each function has the calls and the time of the table, and all of them add up.
expect_annotated() {
    annotated "$1"
    read_functions csv="$2"
    awk -F'\t' '{ calls[$5] += $3; ns[$5] += $4 } END { for (f in calls) printf "%s\t%.0f\t%d\n", f, ns[f], calls[f] }' read | LC_ALL=C sort >expected
    expect_at_least "$(wc -l <expected)" 8 "functions"
    grep -v '^init	' annotated | LC_ALL=C sort | diff expected - >differences || fail "functions of the profile (<) and of callgrind_annotate (>): $(head -6 differences)"
    expect_same "$(cat totals)" "$(awk -F'\t' '{ ns += $2; calls += $3 } END { printf "%.0f\t%d", ns, calls }' annotated)" "totals"
}

# Issue: In each: exclusive time and calls per function equal those of `vftr report` on the same files.
test_callgrind_annotate_has_the_calls_and_times_of_the_log() {
    recorded_program
    export_as csv -o rows prog_all.vfd
    export_as callgrind -o prog.callgrind prog_all.vfd
    expect_annotated prog.callgrind rows
    expect_same "$(cat annotate.err)" "" "what callgrind_annotate complains of"
    grouped_counts prog_all.log | grep -v 'init$' | awk -F'\t' '{ print $2 "\t" $1 }' | LC_ALL=C sort >shown
    cut -f1,3 expected | diff shown - >differences || fail "calls of the log (<) and of callgrind_annotate (>): $(head -6 differences)"
}

# Issue: one part per thread or rank
test_parts_add_up_and_name_their_functions() {
    recorded_program
    export_as csv --each-thread -o rows prog_0.vfd
    export_as callgrind --each-thread -o prog.callgrind prog_0.vfd
    expect_same "$(grep -c '^part: ' prog.callgrind)" 3 "parts"
    # By the rules of kcachegrind, which forgets all names at a new part.
    read_functions csv=rows callgrind=prog.callgrind
    expect_same_times csv callgrind
    expect_annotated prog.callgrind rows
    # It sums parts up, but wonders at the head of a second one.
    ! grep -v "^WARNING: line [0-9]* malformed\|^    line: '" annotate.err || fail "callgrind_annotate complains of something else"
    expect_same "$(sed -n 's/^WARNING: line \([0-9]*\) malformed.*/\1p/p' annotate.err | sed -n -f - prog.callgrind | sed 's/:.*//' | sort | uniq -c | awk '{ print $1 $2 }' | tr '\n' ' ')" \
        "2desc 2events 2part 2positions " "lines that it does not know"
}

# kcachegrind takes a file for one of these when it finds the line of events in its first 2047 bytes.
test_any_number_of_remarks_leaves_the_file_readable() {
    recorded_program
    config "\"filter\": {\"triggers\": [$(for i in {10..39}; do printf '%s{"function": "^it calls none of the name that stands here, %d$", "action": "stop"}' "$([ $i = 10 ] || echo ', ')" $i; done)]}"
    run_well ./prog
    export_as callgrind -o prog.callgrind prog_all.vfd
    expect_at_least "$(grep -c 'Note: .*it calls none of the name' prog.callgrind)" 20 "remarks"
    head -c 2047 prog.callgrind | grep -q '^events: ns Calls$' || fail "no line of events in the beginning: $(grep -bm1 ^events: prog.callgrind)"
    export_as csv -o rows prog_all.vfd
    expect_annotated prog.callgrind rows
    expect_same "$(cat annotate.err)" "" "what callgrind_annotate complains of"
}

run_tests
