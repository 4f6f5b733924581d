# SPDX-License-Identifier: BSD-3-Clause
# The page of two runs (vftr html BASE… --versus NEW…) in Chromium: what it shows of the difference is what vftr diff finds.
. "${srcdir:-.}/test/system/export/lib_html.sh"

needs_comparison() {
    needs_page
    "$vftr" diff --help >/dev/null 2>err || skip "$(cat err)"
}

# Runs before and after a change, in the folders before and after: `slow` takes much longer, `fast` less, `old_name` is called new_name, `goes` is gone,
# `comes` is new, and `often` is called twice as often. A region's name looks like HTML.
build_change() {
    [ -d "$shared/after" ] || (
        cd "$shared" || exit 1
        cat >source <<'END'
#include <vftrace.h>
#ifndef AFTER
#define AFTER 0
#endif
#define N __attribute__((noinline)) static
N void spin(int n) { volatile int s = 0; while (n--) s = s + n; }
N void leaf_one(void) { spin(300000); }
N void leaf_two(void) { spin(200000); }
N void slow(void) { volatile int s = 0; for (int i = 0; i < (AFTER ? 40000000 : 4000000); i++) s = s + i; }
N void fast(void) { volatile int s = 0; for (int i = 0; i < (AFTER ? 4000000 : 40000000); i++) s = s + i; }
N void often(void) { spin(1000); }
#if AFTER
N void new_name(void) { leaf_one(); leaf_two(); leaf_two(); }
N void comes(void) { spin(3000000); }
#else
N void old_name(void) { leaf_one(); leaf_two(); leaf_two(); }
N void goes(void) { vftrace_region_begin("<b>bold</b>"); spin(3000000); vftrace_region_end("<b>bold</b>"); }
#endif
int main(void)
{
    slow();
    fast();
    for (int i = 0; i < (AFTER ? 20 : 10); i++) often();
#if AFTER
    new_name();
    comes();
#else
    old_name();
    goes();
#endif
    return 0;
}
END
        unset VFTR_CONFIG
        build change.c <source
        mv change old
        build change.c -DAFTER=1 <source
        mkdir before after
        echo '{"profile_table": {"show_distribution": true}}' >distribution.json
        export VFTR_CONFIG=$PWD/distribution.json
        for run in 1 2 3; do
            VFTR_OUTPUT_DIRECTORY=before run_well ./old
            mv before/old_all.vfd "before/run$run.vfd"
            VFTR_OUTPUT_DIRECTORY=after run_well ./change
            mv after/change_all.vfd "after/run$run.vfd"
        done
    ) || exit 1
    cp -r "$shared/before" "$shared/after" .
}
# versus BASE NEW: the page as run.html, and the documents of vftr diff of the same files.
versus() {
    run_well "$vftr" html -o run.html "$1" --versus "$2"
    "$vftr" diff --format=json "$1" -- "$2" >functions.json 2>err || fail "$(cat err)"
    "$vftr" diff --paths --format=json "$1" -- "$2" >paths.json 2>err || fail "$(cat err)"
}
# of_diff FILE FIELD…: a line for each row, with these fields as the page shows them, separated by bars.
of_diff() {
    python3 - "$@" <<'END'
import json, sys
def duration(ns):
    if ns < 1e3: return f'{ns:.0f} ns'
    if ns < 999.95e3: return f'{ns / 1e3:.1f} µs'
    return f'{ns / 1e6:.1f} ms' if ns < 999.95e6 else f'{ns / 1e9:.2f} s'
def calls(row, side):
    least, most = row[side + '_calls']
    return ('≈' if row['calls_estimated'] else '') + (f'{least:,}' if least == most else f'{least:,} to {most:,}')
def known(row, name): return duration(row[name]) if name in row else ''
def changed(ns): return '' if ns is None else ('−' if ns < 0 else '+') + duration(abs(ns))
def ratio(number): return f'{number:.3f}' if number < 1000 else '>999'
fields = {
    'function': lambda r: r['function'],
    'path': lambda r: ' < '.join(reversed(r['path'])),
    'base': lambda r: duration(1e9 * r['base']),
    'new': lambda r: duration(1e9 * r['new']),
    'difference': lambda r: ('−' if r['difference'] < 0 else '+') + duration(abs(1e9 * r['difference'])),
    'ratio': lambda r: ratio(r['ratio']) if 'ratio' in r else '',
    'interval': lambda r: ratio(r['low']) + ' to ' + ratio(r['high']) if 'low' in r else '',
    'base_calls': lambda r: calls(r, 'base'),
    'new_calls': lambda r: calls(r, 'new'),
    'verdict': lambda r: r['verdict'],
    'base_p99': lambda r: known(r, 'base_p99_call_ns'),
    'new_median': lambda r: known(r, 'new_median_call_ns'),
    'p99_difference': lambda r: changed(r.get('p99_call_difference_ns')),
    'renamed': lambda r: r.get('renamed_from', ''),
}
for row in json.load(open(sys.argv[1]))['rows']:
    print('|'.join(fields[field](row) for field in sys.argv[2:]))
END
}
# columns FIRST LAST: of the cells in these lines of `seen`, a line for each row, separated by bars.
columns() {
    local line files=()
    for ((line = $1; line <= $2; line++)); do
        sed -n "${line}p" seen | tr '|' '\n' >"column$line"
        files+=("column$line")
    done
    paste -d'|' "${files[@]}"
}

# Contract: with two sets of files every view shows both and the difference
test_the_difference_is_that_of_vftr_diff() {
    needs_comparison
    build_change
    versus before after
    page run.html '#view=difference' "$cells('function')" "$cells('base')" "$cells('new')" "$cells('difference')" "$cells('ratio')" "$cells('95 % interval')" "$cells('base calls')" "$cells('new calls')" \
        "$cells('verdict')" "$cells('base 99 %')" "$cells('new median')" "$cells('99 % difference')" "document.querySelector('main p').innerText"
    columns 1 12 | sort >shown
    of_diff functions.json function base new difference ratio interval base_calls new_calls verdict base_p99 new_median p99_difference | sort >expected
    grep -q 'slow|.*| *slower|[0-9.]* .s|[0-9.]* .s|+[0-9.]* .s$' shown || fail "no durations of slow: $(cat shown)"
    expect_same "$(cat shown)" "$(cat expected)" "rows of the page and of vftr diff"
    "$vftr" diff before -- after >text || fail "vftr diff"
    expect_same "$(sed -n 13p seen)" "$(head -1 text)." "the answer"
    of_diff functions.json function verdict renamed >verdicts
    local verdict
    for verdict in 'slow|slower|' 'fast|faster|' 'comes|new|' 'goes|gone|' 'new_name|.*|old_name'; do
        grep -qx "$verdict" verdicts || fail "vftr diff does not find '$verdict': $(cat verdicts)"
    done
}

# By call path, too.
test_call_paths_are_those_of_vftr_diff_paths() {
    needs_comparison
    build_change
    versus before after
    page run.html '#view=difference&by=path' "$cells('call path')" "$cells('base')" "$cells('new')" "$cells('difference')" "$cells('ratio')" "$cells('95 % interval')" "$cells('base calls')" "$cells('new calls')" "$cells('verdict')"
    columns 1 9 | sort >shown
    of_diff paths.json path base new difference ratio interval base_calls new_calls verdict | sort >expected
    expect_same "$(cat shown)" "$(cat expected)" "rows of the page and of vftr diff --paths"
}

test_the_difference_can_be_sorted_searched_and_chosen() {
    needs_comparison
    build_change
    versus before after
    page run.html '#view=difference' "click .titles>:nth-child(2)" "$cells('function')" 'location.hash' '#view=difference&q=leaf' "$cells('function')" "document.querySelector('.tools [role=status]').innerText" \
        '#view=difference&verdict=gone' "$cells('function')" '#view=difference&q=new_name' "$cells('remark')" 'click .rows>div:nth-child(2)' 'location.hash' \
        '#view=difference&by=path&q=slow' "$cells('call path')" 'click .rows>div:nth-child(2)' 'location.hash' "document.querySelector('.tools .faint').innerText" \
        '#view=difference' "document.body.innerText.includes('<b>bold</b>')" "document.querySelectorAll('b').length"
    expect_same "$(sed -n 1p seen | cut -d'|' -f1)" slow "the function with the largest new time"
    expect_same "$(sed -n 2p seen)" '#view=difference&sort=new' "the address after a click on a title"
    expect_same "$(sed -n 3p seen | tr '|' '\n' | sort | paste -sd' ')" 'leaf_one leaf_two' "functions that are found"
    sed -n 4p seen | grep -qE '^2 of [0-9]+ functions$' || fail "what is found: $(sed -n 4p seen)"
    expect_same "$(sed -n 5p seen | tr '|' '\n' | sort | paste -sd' ')" '<b>bold</b> goes' "what is gone"
    expect_same "$(sed -n 6p seen)" 'renamed: was old_name' "what is said of a renamed function"
    expect_same "$(sed -n 7p seen)" '#view=flame&q=new_name' "a click on a function"
    expect_same "$(sed -n 8p seen)" 'slow < main < init' "call paths that are found"
    sed -n 9p seen | grep -qE '^#view=flame&path=[0-9]+$' || fail "a click on a call path: $(sed -n 9p seen)"
    expect_same "$(sed -n 10p seen)" 'slow < main < init' "the path in the flame graph"
    expect_same "$(sed -n 11,12p seen | paste -sd' ')" 'true 0' "whether a name like HTML is text, and elements that it made"
}

# Contract: flame graph: colour by difference
test_the_flame_graph_has_the_colours_of_the_difference() {
    needs_comparison
    build_change
    versus before after
    local colour tip="document.getElementById('tip').innerText.replaceAll('\n', '|')" slow fast goes same scheme one
    # At the end of the third row: the path that is looked into, without its name.
    colour="(() => { const [r, g, b] = document.querySelector('canvas').getContext('2d').getImageData(1200, 50, 1, 1).data; return r > b + 20 ? 'red' : b > r + 20 ? 'blue' : 'grey'; })()"
    for one in slow fast goes leaf_one; do
        set -- "$@" "#view=difference&by=path&q=$one" 'click .rows>div:nth-child(2)' 'location.hash'
    done
    page run.html "$@"
    read -r slow fast goes same < <(sed 's/.*path=//' seen | paste -sd' ')
    for scheme in light dark; do
        page run.html "$scheme" "#view=flame&path=$slow" "$colour" "over canvas 640 50" "$tip" "#view=flame&path=$fast" "$colour" "#view=flame&weight=base&path=$goes" "$colour" "over canvas 640 50" "$tip" \
            '#view=flame' "[...document.querySelectorAll('.legend')].map(one => one.innerText.trim()).join('|')"
        expect_same "$(sed -n '1p;3,4p' seen | paste -sd' ')" 'red blue blue' "slow, fast and goes ($scheme)"
        sed -n 2p seen | grep -qE '^slow\|slower: .* → .* by itself \(\+.*\), ratio .* \(95 %: .* to .*\)\|.* with what it calls\|1 → 1 calls$' || fail "what is told of slow: $(sed -n 2p seen)"
        sed -n 5p seen | grep -qE '^goes\|gone: .* → 0 ns by itself' || fail "what is told of goes: $(sed -n 5p seen)"
        expect_same "$(sed -n 6p seen)" 'marked functions|slower, or new|slower, which may be noise|the same|faster, which may be noise|faster, or gone' "the legend"
    done
    sed -n 2p seen | grep -qF "slower: $(of_diff paths.json function base new | sed -n 's/^slow|\(.*\)|\(.*\)/\1 → \2/p') by itself" || fail "the times of slow: $(sed -n 2p seen)"
    # The same number leads to the path in the new run alone.
    page run.html "#view=flame&path=$same&colour=kind" "document.querySelector('.tools .faint').innerText" "document.querySelector('.tools select[aria-label=colour]').value" \
        "#view=flame&path=$same" "document.querySelector('.tools .faint').innerText" "#view=flame&callers=leaf_one" 'over canvas 640 30' "$tip"
    expect_same "$(sed -n 1,3p seen | paste -sd' ')" 'leaf_one < new_name < main < init kind leaf_one < new_name < main < init' "a path in the new run, and in both"
    sed -n 4p seen | grep -q '^new_name|' || fail "callers of a function of the new run: $(sed -n 4p seen)"
}

test_each_run_is_shown_as_on_a_page_of_its_own() {
    needs_comparison
    build_change
    run_well "$vftr" html -o run.html before/run1.vfd --versus after/run1.vfd
    run_well "$vftr" diff --format=html -o same.html before/run1.vfd after/run1.vfd
    cmp same.html run.html || fail "vftr diff --format=html writes another page"
    "$vftr" report --format=json before/run1.vfd >base.json
    "$vftr" report --format=json after/run1.vfd >new.json
    page run.html '#view=functions' "$cells('function')" "document.querySelector('nav select[aria-label=run]').value + '.'" '#view=functions&run=base' "$cells('function')" \
        "document.querySelector('nav select[aria-label=run]').value" "[...document.querySelectorAll('nav a')].every(one => one.hash.includes('run=base'))" \
        '#run=base' "[...document.querySelectorAll('.findings .text')].map(one => one.innerText).join('|')" "[...document.querySelectorAll('h2')].map(one => one.innerText).join('|')" \
        "[...[...document.querySelectorAll('tr')].find(one => one.cells[0].innerText === 'total runtime').cells].map(one => one.innerText).join('|')" 'document.title' \
        "document.querySelector('main').innerText.includes('One run each does not tell')"
    of_both() {
        python3 -c "
import json
def duration(ns): return f'{ns / 1e6:.1f} ms' if ns < 999.95e6 else f'{ns / 1e9:.2f} s'
base, new = [json.load(open(file))['profiles'][0] for file in ('base.json', 'new.json')]
print($1)"
    }
    expect_same "$(sed -n 1p seen)" "$(of_both "'|'.join(f['function'] for f in sorted(new['functions'], key=lambda f: -f['exclusive_ns']))")" "functions of the new run"
    expect_same "$(sed -n 3p seen)" "$(of_both "'|'.join(f['function'] for f in sorted(base['functions'], key=lambda f: -f['exclusive_ns']))")" "functions of the base"
    expect_same "$(sed -n '2p;4,5p' seen | paste -sd,)" '.,base,true' "the run that is chosen, and whether all links keep it"
    expect_same "$(sed -n 6p seen)" "$(of_both "'|'.join(f['text'] for f in base['findings'])")" "findings of the base"
    sed -n 7p seen | grep -qE '^What has changed\|What ran\|What matters \(base run\)' || fail "the overview: $(sed -n 7p seen)"
    expect_same "$(sed -n 8p seen)" "$(of_both "'total runtime|' + '|'.join(duration(one['head']['total_runtime_ns']) for one in (base, new))")" "run times of both"
    expect_same "$(sed -n 9,10p seen | paste -sd,)" 'old and change – vftrace,true' "the title, and whether single runs have a note"
    # Several runs a side: the first is shown, and the page says so.
    versus before after
    page run.html '#' "document.querySelector('main').innerText.includes('This is the first of 3 runs; the difference is that of all of them.')" "document.querySelector('main p').innerText"
    expect_same "$(sed -n 1p seen)" true "whether the page says which run it shows"
    grep -q '3 runs each' seen || fail "the answer: $(cat seen)"
}

# Contract: size under --max-size, by level of detail
test_both_timelines_share_the_size_of_the_page() {
    needs_comparison
    build calls.c <<'END'
static int leaf(int n) { return n + 1; }
int main(void) { int s = 0; for (int i = 0; i < 300000; i++) s = leaf(s); return s == 0; }
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    local run
    for run in one two; do
        run_well ./calls
        mv calls_0.vfd $run.vfd
    done
    run_well "$vftr" html -o small.html --max-size=450k one.vfd --versus two.vfd
    [ "$(wc -c <small.html)" -le 450000 ] || fail "the page has $(wc -c <small.html) bytes"
    page small.html '#' "document.querySelector('main').innerText.match(/([0-9]+) of [0-9]+ calls are left out/)?.[0]" '#run=base' "document.querySelector('main').innerText.match(/([0-9]+) of [0-9]+ calls are left out/)?.[0]" \
        '#view=timeline' "document.querySelectorAll('canvas').length" '#view=timeline&run=base' "document.querySelectorAll('canvas').length"
    expect_same "$(grep -c 'calls are left out' seen)" 2 "runs whose shortest calls are left out"
    expect_same "$(tail -2 seen | paste -sd' ')" '1 1' "timelines of both runs"
}

test_wrong_usage_is_told() {
    needs_page
    local arguments
    while read -r arguments; do
        # shellcheck disable=SC2086 # several words
        "$vftr" html $arguments >out 2>err
        expect_same "$?" 2 "exit code of vftr html $arguments"
        expect_same "$(wc -l <err)" 1 "lines on stderr of vftr html $arguments: $(cat err)"
    done <<'END'
--versus
a.vfd --versus
--versus b.vfd
a.vfd --versus b.vfd --versus c.vfd
--serve a.vfd --versus b.vfd
--ranks=0 a.vfd --versus b.vfd
END
    "$vftr" html missing.vfd --versus missing.vfd >out 2>err
    expect_same "$?" 1 "exit code for files that are not there"
    grep -q 'missing.vfd' err || fail "what is told: $(cat err)"
}

run_tests
