# SPDX-License-Identifier: BSD-3-Clause
# Flame graphs: a box for each call path with the log's calls and times, and what a browser does when one clicks and searches.
. "${srcdir:-.}/test/system/export/lib_export.sh"

have python3 || { echo "skip: no python3" && exit 77; }

# Its call paths take long enough to be drawn, each of them, in two threads.
recorded_program() {
    if [ ! -e "$shared/boxes" ]; then
        build boxes.c -pthread <<'END'
#include <pthread.h>
#define OUTSIDE __attribute__((no_instrument_function))
OUTSIDE static void spin(int n) { for (volatile int i = 0; i < n; i++) {} }
static void relax(void) { spin(200000); }
static void exchange(void) { relax(); spin(100000); }
static void solve(void) { exchange(); exchange(); relax(); spin(100000); }
static void write_out(void) { spin(300000); }
static void *worker(void *unused) { solve(); write_out(); spin(100000); return unused; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    solve();
    relax();
    write_out();
    pthread_join(thread, 0);
    return 0;
}
END
        config '"sampling": {"active": true}'
        run_well ./boxes
        mv boxes boxes_* "$shared/"
    fi
    cp "$shared"/boxes* .
}

# expect_boxes SVG CSV: those of a picture, as what reads XML sees them, are the call paths of the table: their calls, their times, and the widths that follow from these.
expect_boxes() {
    python3 - "$1" "$2" >said 2>&1 <<'END' || fail "$(tail -3 said)"
import csv, re, sys, xml.etree.ElementTree as xml
svg = '{http://www.w3.org/2000/svg}'
def ns(text):
    return round(float(text) * 1e9)
drawn = []
for box in xml.parse(sys.argv[1]).iter(svg + 'g'):
    if box.get('class') != 'frame':
        continue
    title = re.fullmatch(r'(.*)\n([0-9.]+) s, ([0-9.]+) %; ([0-9.]+) s of its own; ([0-9]+) calls', box.find(svg + 'title').text)
    assert title and title[1] == box.get('data-name'), box.find(svg + 'title').text
    whole = ns(title[2]) if box.get('data-row') == '0' else whole
    part = ns(title[2]) / whole
    assert abs(part - float(box.get('data-w'))) < 1e-9 and abs(100 * part - float(title[3])) <= 0.005001, title[0]
    rect = box.find(svg + 'rect')
    assert abs(float(rect.get('width')) - max(1200 * part - 0.5, 0.1)) < 0.02 and abs(float(rect.get('x')) - 1200 * float(box.get('data-x'))) < 0.02, title[0]
    drawn.append((int(box.get('data-row')), title[1], int(title[5]), ns(title[4]), ns(title[2])))
rows = [(int(row['depth']), row['function'], int(row['calls']), int(row['exclusive_ns']), int(row['inclusive_ns']))
        for row in csv.DictReader(open(sys.argv[2], newline=''))]
assert len(rows) > 8, rows
assert [box[:4] for box in drawn] == [row[:4] for row in rows], f'boxes {drawn}, call paths {rows}'
# Each time is rounded by itself.
assert all(abs(box[4] - row[4]) <= len(rows) for box, row in zip(drawn, rows)), f'boxes {drawn}, call paths {rows}'
END
}

# Issue: In each: exclusive time and calls per function equal those of `vftr report` on the same files.
test_boxes_have_the_calls_and_times_of_the_call_paths() {
    recorded_program
    export_as csv -o rows boxes_all.vfd
    export_as flamegraph -o boxes.svg boxes_all.vfd
    expect_boxes boxes.svg rows
    export_as csv --each-thread -o rows boxes_0.vfd
    export_as flamegraph --each-thread -o boxes.svg boxes_0.vfd
    expect_boxes boxes.svg rows
}

# Issue: own SVG with search and zoom by a small script
test_a_click_widens_a_box_and_a_search_marks_functions() {
    have chromium || skip "no Chromium"
    recorded_program
    export_as flamegraph --each-thread -o boxes.svg boxes_0.vfd
    export_as csv --each-thread -o rows boxes_0.vfd
    python3 "$srcdir/test/system/export/flamegraph.py" boxes.svg exchange solve >told 2>err || fail "$(tail -3 err)"
    # Of each thread the share of what is found, which is what it has called, too.
    python3 - <<'END' >expected || fail "no table"
import csv
whole, found = {}, {}
for row in csv.DictReader(open('rows', newline='')):
    part, ns = row['part'], int(row['inclusive_ns'])
    whole.setdefault(part, ns)
    found[part] = found.get(part, 0) + (ns if row['function'] == 'solve' else 0)
for part, ns in whole.items():
    print(f'{100 * found[part] / ns:.2f}')
END
    expect_same "$(wc -l <expected)" 2 "threads"
    diff expected told >differences || fail "shares of the time in solve, of the profile (<) and as the search tells (>): $(cat differences)"
}

run_tests
