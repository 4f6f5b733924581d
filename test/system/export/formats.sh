# SPDX-License-Identifier: BSD-3-Clause
# Profiles in the formats of other tools: what is in them is what vftr report shows, and those tools read them.
. "${srcdir:-.}/test/system/export/lib_export.sh"

# A program with recursion, names with every bracket and semicolon that C++ has, and 3000 calls that are open at once.
recorded_program() {
    if [ ! -e "$shared/prog" ]; then
        record_program
        cp prog prog_all.* shown "$shared/"
    fi
    cp "$shared"/* .
}
record_program() {
    build prog.cpp <<'END'
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#define N __attribute__((noinline))
template <class T, char c> struct Box { N int operator()(const std::map<std::string, T> &) const { return c; } };
N int deep(int n) { volatile int x = n; return n == 0 ? 0 : deep(n - 1) + x - x; }
N int odd(int n);
N int even(int n) { return n == 0 ? 1 : odd(n - 1); }
N int odd(int n) { return n == 0 ? 0 : even(n - 1); }
N int operator<<=(Box<int, ';'>, int n) { return n; }
int main()
{
    int s = deep(3000) + even(21);
    for (int i = 0; i < 1000; i++)
        s += Box<int, ';'>()({}) + Box<int, '"'>()({}) + (Box<int, ';'>() <<= i) + [](int j) { return j + 1; }(i);
    return s == 0;
}
END
    config '"include_cxx_prelude": true, "max_recursion": 5000'
    run_well ./prog
    grouped_counts prog_all.log | sort -k2 >shown
    expect_at_least "$(wc -l <shown)" 8 "functions"
}

# by_function FILE: of lines "function<TAB>ns<TAB>calls", the sums by function.
by_function() { awk -F'\t' '{ ns[$1] += $2; calls[$1] += $3 } END { for (f in ns) printf "%s\t%.0f\t%d\n", f, ns[f], calls[f] }' "$1" | LC_ALL=C sort; }

# The rows of a file of comma-separated values: function, ns, calls.
csv_rows() {
    tr -d '\r' <"$1" | awk 'NR > 1 {
        rest = $0
        for (i = 1; i <= 4; i++) sub(/^[^,]*,/, "", rest)
        if (rest ~ /^"/) { match(rest, /^"([^"]|"")*"/); name = substr(rest, 2, RLENGTH - 2); gsub(/""/, "\"", name); rest = substr(rest, RLENGTH + 2) }
        else { match(rest, /^[^,]*/); name = substr(rest, 1, RLENGTH); rest = substr(rest, RLENGTH + 2) }
        split(rest, field, ",")
        printf "%s\t%s\t%s\n", name, field[2], field[1]
    }'
}

test_every_format_has_the_calls_and_times_of_the_report() {
    recorded_program
    export_as csv -o - prog_all.vfd
    csv_rows exported >rows
    by_function rows >csv
    awk -F'\t' '{ print $3 "\t" $1 }' csv | sort -k2 | diff shown - >differences || fail "calls of the log (<) and of the export (>): $(head -6 differences)"
    # The log's times have fewer digits.
    awk -F'|' '/Grouped by function name/ { on = 1; next } on && $2 ~ /^ *[0-9]+ *$/ { gsub(/^ +| +$/, "", $6); gsub(/ /, "", $3); print $6 "\t" $3 }' prog_all.log >seconds
    awk -F'\t' 'FNR == NR { ns[$1] = $2; next } { d = ns[$1] * 1e-9 - $2; if (d > 0.006 || d < -0.006) print $1, ns[$1], $2 }' csv seconds >differences
    [ ! -s differences ] || fail "times of the export and of the log: $(head -3 differences)"

    export_as folded -o - prog_all.vfd
    sed -E 's/^(.*) ([0-9]+)$/\1\t\2/' exported | awk -F'\t' '{ n = split($1, path, ";"); print path[n] "\t" $2 "\t0" }' >rows
    by_function rows | cut -f1,2 >folded
    awk -F'\t' '$2 > 0 { gsub(/;/, ",", $1); print $1 "\t" $2 }' csv >rows
    awk '{ print $0 "\t0" }' rows >rows.0
    by_function rows.0 | cut -f1,2 | diff - folded >differences || fail "times in csv (<) and in folded stacks (>): $(head -6 differences)"

    export_as callgrind -o - prog_all.vfd
    awk '/^fn=/ { n = $0; sub(/^fn=/, "", n); id = n; sub(/\).*/, ")", id); if (id != n) { sub(/^\([0-9]+\) /, "", n); name[id] = n } now = id; own = 1; next }
        /^cfn=/ { n = $0; sub(/^cfn=/, "", n); id = n; sub(/\).*/, ")", id); if (id != n) { sub(/^\([0-9]+\) /, "", n); name[id] = n } next }
        /^calls=/ { own = 0; next }
        /^[0-9]/ { if (own) print now "\t" $2 "\t" $3; own = 1 }
        END { for (id in name) print "NAME\t" id "\t" name[id] }' exported >costs
    awk -F'\t' 'FNR == NR { if ($1 == "NAME") name[$2] = $3; next } $1 != "NAME" { print name[$1] "\t" $2 "\t" $3 }' costs costs >rows
    by_function rows | diff csv - >differences || fail "csv (<) and callgrind (>): $(head -6 differences)"
}

# Boxes of functions have their share of the exclusive time, to a decimal, and their calls; arrows to a function have all of its calls between them.
test_graphviz_draws_it() {
    have dot || skip "no graphviz"
    have python3 || skip "no python3"
    recorded_program
    export_as dot --min-share=0 -o prog.dot prog_all.vfd
    export_as csv -o rows prog_all.vfd
    dot -Tsvg prog.dot >prog.svg 2>err || fail "$(cat err)"
    python3 - >said 2>&1 <<'END' || fail "$(tail -1 said)"
import collections, csv, re, xml.etree.ElementTree as xml
svg = '{http://www.w3.org/2000/svg}'
ns, calls, drawn, arrows, names = collections.Counter(), collections.Counter(), set(), collections.Counter(), {}
for row in csv.DictReader(open('rows', newline='')):
    ns[row['function']] += int(row['exclusive_ns'])
    calls[row['function']] += int(row['calls'])
groups = [(group.get('class'), group.find(svg + 'title').text, [text.text for text in group.iter(svg + 'text')])
          for group in xml.parse('prog.svg').iter(svg + 'g')]
for kind, id, texts in groups:
    if kind == 'node':
        name, shares, count = texts
        share = re.fullmatch(r'([0-9.]+) % of ([0-9.]+) %', shares)
        assert name not in drawn, name
        assert abs(float(share[1]) - 100 * ns[name] / sum(ns.values())) <= 0.0500001 and float(share[2]) >= float(share[1]), texts
        assert count == f'{calls[name]} calls', texts
        drawn.add(name)
        names[id] = name
for kind, id, texts in groups:
    if kind == 'edge':
        arrows[names[id.split('->')[1]]] += int(texts[0])
assert len(drawn) >= 8 and drawn == set(ns), f'drawn {drawn}, recorded {set(ns)}'
assert arrows == collections.Counter({name: count for name, count in calls.items() if name != 'init'}), f'arrows {arrows}, calls {calls}'
END
}

# Issue: csv for scripts, spreadsheets: names are text and all else are numbers, whatever is in the names.
test_a_spreadsheet_reads_the_table() {
    have ssconvert || skip "no ssconvert (gnumeric)"
    have python3 || skip "no python3"
    recorded_program
    export_as csv -o rows.csv prog_all.vfd
    HOME=$PWD ssconvert rows.csv rows.gnumeric >said 2>&1 || fail "$(tail -3 said)"
    python3 - >said 2>&1 <<'END' || fail "$(tail -1 said)"
import csv, gzip, xml.etree.ElementTree as xml
gnm = '{http://www.gnumeric.org/v10.dtd}'
cells = {(int(cell.get('Row')), int(cell.get('Col'))): (cell.text or '', cell.get('ValueType'))
         for cell in xml.parse(gzip.open('rows.gnumeric')).iter(gnm + 'Cell')}
rows = list(csv.reader(open('rows.csv', newline='')))
assert len(rows) > 8 and max(row for row, _ in cells) == len(rows) - 1
for i, row in enumerate(rows):
    for j, text in enumerate(row):
        shown, kind = cells.get((i, j), ('', None))
        number = i > 0 and rows[0][j] not in ('part', 'function', 'file', 'kind', 'module') and text != ''
        assert (float(shown) == float(text) if number else shown == text) and (kind in ('30', '40')) == number, (text, shown, kind)
END
}

test_json_and_svg_are_well_formed() {
    have python3 || skip "no python3"
    recorded_program
    has RAPIDJSON || skip "built without RapidJSON"
    export_as speedscope,flamegraph prog_all.vfd
    expect_same "$(cat exported)" $'prog_all.speedscope.json\nprog_all.svg' "the files"
    export_as csv -o - prog_all.vfd
    csv_rows exported >rows
    by_function rows >csv
    python3 - >frames <<'END' || fail "python3: $(cat frames)"
import collections, json, xml.dom.minidom
file = json.load(open('prog_all.speedscope.json'))
names = [frame['name'] for frame in file['shared']['frames']]
(profile,) = file['profiles']
assert profile['type'] == 'sampled' and profile['unit'] == 'nanoseconds'
assert len(profile['samples']) == len(profile['weights'])
assert sum(profile['weights']) == profile['endValue'] - profile['startValue']
time = collections.Counter()
for sample, weight in zip(profile['samples'], profile['weights']):
    time[names[sample[-1]]] += weight
    assert names[sample[0]] == 'init'
for name in time:
    print(f'{name}\t{time[name]}')
xml.dom.minidom.parse('prog_all.svg')
END
    awk -F'\t' '$2 > 0 { print $1 "\t" $2 }' csv | LC_ALL=C sort >expected
    LC_ALL=C sort frames | diff expected - >differences || fail "csv (<) and speedscope (>): $(head -6 differences)"
}

test_a_flame_graph_turned_round_has_callers_below_functions() {
    have python3 || skip "no python3"
    recorded_program
    export_as flamegraph --reverse -o turned.svg prog_all.vfd
    python3 - >found <<'END' || fail "$(cat found)"
import re, xml.dom.minidom
xml.dom.minidom.parse('turned.svg')
rows = re.findall(r'data-w="([0-9.]+)" data-row="([0-9]+)" data-name="([^"]*)"', open('turned.svg').read())
top = {name: float(width) for width, row, name in rows if row == '1'}
assert rows[0][1:] == ('0', 'all functions'), rows[0]
assert 0.99 < sum(top.values()) <= 1.000001, top # of boxes that are wide enough to be drawn
assert 'deep(int)' in top and 'main' not in [name for width, row, name in rows if row == '0']
END
}

test_source_lines_are_those_of_the_source() {
    needs LIBDW
    echo 'int in_library(int n) { return n + 1; }' >libpart.c
    $cc -g -finstrument-functions -shared -fPIC libpart.c -o libpart.so || fail "no library"
    build lines.c -L. -lpart -Wl,-rpath,"$PWD" <<'END'
int in_library(int n);
static int on_line_2(int n) { return in_library(n); }
int
on_line_4(int n) { return on_line_2(n); }
int main(void) { return on_line_4(0) != 1; }
END
    config '"sampling": {"active": true}'
    run_well ./lines
    # By addresses, and by names where only the merged profile is left; that knows the executable only.
    for file in lines_0.vfd lines_all.vfd; do
        export_as csv --lines -o - $file
        csv_places exported >places
        expected="on_line_2 $PWD/lines.c 2|on_line_4 $PWD/lines.c 4|main $PWD/lines.c 5|"
        [ $file = lines_all.vfd ] || expected+="in_library $PWD/libpart.c 1|"
        expect_same "$(LC_ALL=C sort places)" "$(tr '|' '\n' <<<"$expected" | grep . | LC_ALL=C sort)" "places of $file"
    done
    export_as callgrind --lines -o lines.callgrind lines_all.vfd
    ! have callgrind_annotate || callgrind_annotate --threshold=100 lines.callgrind | grep -q 'lines.c:on_line_4' || fail "callgrind_annotate shows no lines"
    export_as callgrind -o objects.callgrind lines_0.vfd
    ! have callgrind_annotate || callgrind_annotate --threshold=100 objects.callgrind | grep -qE 'in_library \[libpart.so\]' || fail "callgrind_annotate shows no objects"
    export_as dot --lines -o lines.dot lines_0.vfd
    grep -qF "tooltip=\"$PWD/lines.c:4\"" lines.dot || fail "no lines for graphviz"
    touch -d '+1 hour' lines
    "$vftr" export --format=csv --lines -o - lines_all.vfd >exported 2>err || fail "vftr export: $(cat err)"
    csv_places exported >places
    expect_same "$(cat places)" "" "places of a program that has changed"
    grep -q 'no debug information of the program was found' err || fail "$(cat err)"
}

# program_that_calls_more NAME: where it has an argument.
program_that_calls_more() {
    build "$1.c" -Wl,--build-id <<'END'
static int first(int n) { return n; }
static int second(int n) { return first(n) + 1; }
int main(int argc, char **argv) { (void)argv; return argc > 1 ? second(-1) : first(0); }
END
    config '"sampling": {"active": true}'
}

# Issue: Source file and line for functions in all formats (debug information looked up once per module, kept in the symbol store).
test_source_lines_are_kept_in_the_symbol_store() {
    needs LIBDW
    local store=vftrace_symbols kept
    program_that_calls_more kept
    run_well ./kept
    cp kept_0.vfd first.vfd
    export_as csv --lines -o expected first.vfd
    expect_same "$(csv_places expected)" "main $PWD/kept.c 3
first $PWD/kept.c 1" "places"
    kept=$(echo $store/*-kept.lines)
    expect_same "$(head -1 "$kept")" "vftrace lines 1" "first line of $kept"
    expect_same "$(cut -d' ' -f2,3 "$kept" | tail -n +2 | LC_ALL=C sort)" "1 $PWD/kept.c
3 $PWD/kept.c" "what is kept"
    # They need neither debug information nor the program, also not that of a merged profile of it.
    strip --strip-debug kept
    touch -r kept_all.vfd -d '-1 hour' kept
    export_as csv --lines -o stripped first.vfd
    diff expected stripped >differences || fail "without debug information: $(head -3 differences)"
    export_as csv --lines -o merged kept_all.vfd
    expect_same "$(csv_places merged)" "$(csv_places expected)" "places of a merged profile"
    # More functions are added to them, where there is debug information.
    run_well ./kept more
    mkdir elsewhere
    mv kept elsewhere/
    export_as csv --lines -o moved first.vfd
    diff expected moved >differences || fail "without the program: $(head -3 differences)"
    export_as csv --lines -o more kept_0.vfd
    expect_same "$(csv_places more)" "$(csv_places expected)" "places without the program, of a run that called more"
    # Nobody else can have written them, and damage loses what is behind it only.
    chmod g+w "$kept"
    "$vftr" export --format=csv --lines -o others first.vfd 2>err || fail "vftr export: $(cat err)"
    expect_same "$(csv_places others)" "" "places that another user could have written"
    chmod g-w "$kept"
    { head -2 "$kept" && echo '12x4 damaged' && tail -1 "$kept"; } >damaged
    cp damaged "$kept"
    export_as csv --lines -o half first.vfd
    expect_same "$(csv_places half | wc -l)" 1 "places of a damaged file"
    cmp damaged "$kept" || fail "a file to which nothing can be added was written"
    # Without a store nothing is left behind.
    rm -r $store
    mv elsewhere/kept .
    "$vftr" export --format=csv --lines -o none first.vfd 2>err || fail "vftr export: $(cat err)"
    expect_no_file $store
}

test_source_lines_of_functions_that_were_called_later_are_added() {
    needs LIBDW
    program_that_calls_more grows
    run_well ./grows
    export_as csv --lines -o of_one grows_0.vfd
    run_well ./grows more
    export_as csv --lines -o of_two grows_0.vfd
    expect_same "$(csv_places of_two | LC_ALL=C sort)" "first $PWD/grows.c 1
main $PWD/grows.c 3
second $PWD/grows.c 2" "places"
    expect_same "$(wc -l <"$(echo vftrace_symbols/*-grows.lines)")" 4 "lines of the file"
}
# Of a file of comma-separated values without quotes: function, file and line, where there is one.
csv_places() { tr -d '\r' <"$1" | awk -F, 'NR > 1 && $12 != "" { print $5, $12, $13 }'; }

# Issue: `vftr run` of a build; FILES… (files of one or all ranks, `_all.vfd`, `.tmpvfd` of killed or running programs, a folder)
test_a_folder_is_exported_with_all_programs_in_it() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    local name
    for name in one two; do
        build $name.c <<END
static int in_$name(int n) { return n; }
static int shared(int n) { return in_$name(n); }
int main(void) { for (int i = 0; i < 5; i++) shared(i); return 0; }
END
    done
    printf '{"sampling": {"active": true, "sample_interval": 0}}' >timeline.json
    # A build, in which these are the tools.
    printf 'all: a b c\na:\n\t./one >$@\nb c:\n\t./two >$@\n' >build.mk
    VFTR_CONFIG=timeline.json run_well "$vftr" run -q -o results -- make -s -j2 -f build.mk
    "$vftr" report results >report || fail "vftr report"
    export_as json -o folder.json results
    export_as chrome -o folder.trace.json results
    python3 - >said 2>&1 <<'END' || fail "$(cat said)"
import collections, json
profiles = {p['title']: {f['function']: f['calls'] for f in p['functions']} for p in json.load(open('folder.json'))['profiles']}
assert profiles.keys() == {'one', 'two, 2 processes'}, profiles.keys()
assert profiles['one']['in_one'] == 5 and 'in_two' not in profiles['one'], profiles
assert profiles['two, 2 processes']['in_two'] == 10 and profiles['two, 2 processes']['shared'] == 10, profiles
events = json.load(open('folder.trace.json'))['traceEvents']
names = {e['pid']: e['args']['name'].split(' ')[0] for e in events if e['name'] == 'process_name'}
calls = collections.Counter((names[e['pid']], e['name']) for e in events if e['ph'] == 'X')
assert sorted(names.values()) == ['one', 'two', 'two'], names
assert calls['one', 'in_one'] == 5 and calls['two', 'in_two'] == 10 and calls['two', 'shared'] == 10, calls
END
    for name in folded speedscope callgrind dot csv events; do
        # Without it, the graph has no functions whose calls took next to no time.
        export_as $name $([ $name != dot ] || echo --min-share=0) -o out.$name results
        grep -q in_one out.$name && grep -q in_two out.$name || fail "$name has not both programs"
    done
    "$vftr" report --format=json results | cmp - folder.json || fail "vftr report --format of a folder is another one"
    # One run in a folder is that run.
    mkdir alone
    cp results/one*.vfd alone/
    export_as csv -o of_folder alone
    export_as csv -o of_file alone/*.vfd
    cmp of_folder of_file || fail "a folder of one run is exported otherwise"
    # What is no recording is told, and the rest is exported.
    echo none >results/none.vfd
    expect_refused 1 'results/none.vfd' "$vftr" export --format=json -o some.json results
    cmp some.json folder.json || fail "beside what is no recording the others are exported otherwise"
    rm results/none.vfd
    mkdir empty
    expect_refused 1 'empty: has no recordings' "$vftr" export --format=csv empty
    expect_refused 1 '--each-rank needs the files of one run' "$vftr" export --format=csv --each-rank results
    expect_refused 1 'give the files of one run' "$vftr" export --format=csv results/*.vfd
    expect_refused 1 'give the files of one run' "$vftr" report --format=csv results/*.vfd
    expect_refused 1 'empty: has no recordings' "$vftr" report --format=csv empty
}

test_two_exports_have_the_same_bytes() {
    recorded_program
    config '"sampling": {"active": true}, "max_recursion": 5000'
    run_well ./prog
    local format
    for format in $(all_formats); do
        [ "$format" != otf2 ] || continue # its library gives each archive an id of its own
        export_as "$format" -o once prog_0.vfd
        export_as "$format" -o twice prog_0.vfd
        [ -s once ] || fail "$format: nothing"
        diff -r once twice >/dev/null || fail "$format: other bytes"
        rm -r once twice
    done
}

test_bad_requests_are_one_line_and_leave_nothing() {
    recorded_program
    refused() { expect_refused "$1" "$2" "$vftr" export "${@:3}"; }
    ls >before
    : >out
    : >err
    ls >before
    refused 1 "there is no format 'foldet'" --format=foldet prog_all.vfd
    refused 1 'no/such/folder/x: No such file or directory' --format=folded -o no/such/folder/x prog_all.vfd
    refused 1 'none.vfd' --format=folded none.vfd
    refused 1 '--each-rank' --format=folded --each-rank prog_all.vfd
    refused 1 '--each-thread' --format=folded --each-thread prog_all.vfd
    refused 1 '--threads' --format=folded --threads=0 prog_all.vfd
    refused 2 '--format is missing' prog_all.vfd
    refused 2 'FILE is missing' --format=folded
    refused 2 '--weight' --format=folded --weight=kilos prog_all.vfd
    refused 2 '--min-share' --format=dot --min-share=101 prog_all.vfd
    refused 2 '--output' --format=dot,csv -o x prog_all.vfd
    refused 1 "there is no table 'function', there are metadata, applications, head, " --format=csv --table=paths,function prog_all.vfd
    refused 2 '--max-size leaves out calls of timelines, which are not in folded' --format=folded --max-size=1k prog_all.vfd
    refused 2 '--table is for csv, not for dot' --format=dot --table=functions prog_all.vfd
    refused 2 '--output takes one table' --format=csv --table=functions,paths -o x prog_all.vfd
    refused 1 'this is a file to be exported' --format=folded -o ./prog_all.vfd prog_all.vfd
    refused 1 ': Is a directory' --format=folded -o . prog_all.vfd
    # All formats are looked at before one is written.
    refused 1 'has no timeline, which events needs' --format=folded,events prog_all.vfd
    refused 1 '--from needs a timeline, and folded is made from the profile' --format=folded --from=0 prog_all.vfd
    expect_same "$(ls)" "$(cat before)" "files"
    if unshare -rm true 2>/dev/null; then
        mkdir small
        unshare -rm sh -c 'mount -t tmpfs -o size=4k none small && echo before >small/x && "$0" export --format=csv -o small/x prog_all.vfd; echo $? && ls small && cat small/x' \
            "$vftr" >out 2>err
        expect_same "$(cat out)" $'1\nx\nbefore' "what is left on a full disk"
        grep -qF 'small/x: No space left on device' err || fail "$(cat err)"
    fi
    # Nobody reads what is written, or files may not be larger.
    python3 - "$vftr" >said 2>&1 <<'END' || fail "$(cat said)"
import os, subprocess, sys
for output in ('-', '/dev/stdout'):
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run([sys.argv[1], 'export', '--format=csv', '-o', output, 'prog_all.vfd'], stdout=write, stderr=subprocess.PIPE, text=True, restore_signals=True)
    os.close(write)
    assert ended.returncode == 1 and ended.stderr.count('\n') == 1 and ended.stderr.endswith(': Broken pipe\n'), ended
END
    config '"sampling": {"active": true, "sample_interval": 0}, "max_recursion": 5000'
    run_well ./prog
    ls >before
    (ulimit -f 1 && "$vftr" export --format=vfd3 -o folder prog_0.vfd) >out 2>err
    expect_same "$? $(cat err)" "1 vftr: folder: File too large" "a limit of the size of files"
    rm -f out err before said
    expect_same "$(ls | grep folder)" "" "what is left of a folder"
    mkfifo pipe
    cat pipe >read &
    run_well "$vftr" export --format=folded -o pipe prog_all.vfd
    wait
    [ -p pipe ] && [ -s read ] || fail "the FIFO was replaced, or got nothing"
    ln -s real link && echo old >real
    run_well "$vftr" export --format=folded -o link prog_all.vfd
    [ -L link ] && cmp -s read real || fail "what a link leads to was not replaced"
    status=0
    "$vftr" export --format=folded -o - prog_all.vfd >/dev/full 2>err || status=$?
    expect_status 1
    grep -qF 'standard output: No space left on device' err || fail "$(cat err)"
}

run_tests
