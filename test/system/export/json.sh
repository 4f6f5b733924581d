# SPDX-License-Identifier: BSD-3-Clause
# The log as JSON: real exports fit the schema, and have what the log has.
. "${srcdir:-.}/test/system/export/lib_export.sh"

needs RAPIDJSON
schema=$srcdir/share_src/vftrace-export.schema.json


# expect_valid FILE…: they fit the schema, which tells when a member is missing, has another type, or is not documented.
expect_valid() {
    "$python" - "$schema" "$@" >complaints <<'END' || fail "$(cat complaints)"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
check = jsonschema.Draft202012Validator(schema)
check.check_schema(schema)
bad = 0
def complain(text):
    global bad
    bad = 1
    print(text)
for name in sys.argv[2:]:
    document = json.load(open(name))
    for error in list(check.iter_errors(document))[:5]:
        complain(f'{name}: {list(error.absolute_path)}: {error.message[:300]}')
    for profile in document['profiles']:
        paths = {path['id']: path for path in profile['call_paths']}
        if len(paths) != len(profile['call_paths']):
            complain(f'{name}: ids are not unique')
        exclusive = {}
        for path in profile['call_paths']:
            key = (path['kind'] == 'root', path['function'])
            sums = exclusive.setdefault(key, [0, 0])
            sums[0] += path['calls']
            sums[1] += path['exclusive_ns']
            if path['depth'] == 0:
                continue
            if paths[path['parent']]['depth'] != path['depth'] - 1:
                complain(f'{name}: depth of {path}')
            for time in 'exclusive', 'inclusive':
                if time + '_min_ns' in path and not path[time + '_min_ns'] <= path[time + '_max_ns'] <= path[time + '_ns']:
                    complain(f'{name}: {time} of {path}')
        for function in profile['functions']:
            key = (function['kind'] == 'root', function['function'])
            if exclusive.pop(key) != [function['calls'], function['exclusive_ns']]:
                complain(f'{name}: {function} is not the sum of its call paths')
        for key, sums in exclusive.items():
            if sums != [0, 0]:
                complain(f'{name}: {key} is no function')
        for table in 'messages', 'openmp_regions':
            for row in profile.get(table, []):
                if paths[row['path']]['function'] != row['function']:
                    complain(f'{name}: path of {row}')
sys.exit(bad)
END
}

# from_json FILE 'EXPRESSION of d': what python prints of it.
from_json() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); p = d["profiles"][0]; print(eval(sys.argv[2]))' "$1" "$2"; }

# expect_calls_of_log FILE LOG
expect_calls_of_log() {
    python3 -c '
import json, sys
for f in json.load(open(sys.argv[1]))["profiles"][0]["functions"]:
    print(f["calls"], f["function"], sep="\t")' "$1" | LC_ALL=C sort >seen
    grouped_counts "$2" | LC_ALL=C sort | diff - seen >differences || fail "calls of the log (<) and in $1 (>): $(head -6 differences)"
    expect_at_least "$(wc -l <seen)" 3 "functions of $1"
}

test_threads_and_names_of_cxx() {
    python_with jsonschema
    build prog.cpp <<'END'
#include <thread>
#define N __attribute__((noinline))
namespace größe { N int operator""_km(unsigned long long n) { return static_cast<int>(n); } }
using namespace größe;
N int deep(int n) { volatile int x = n; return n == 0 ? 0 : deep(n - 1) + x - x; }
N void work() { for (int i = 0; i < 100; i++) 1_km; }
int main()
{
    std::thread a(work), b(work);
    work();
    a.join();
    b.join();
    return deep(300) != 0;
}
END
    config '"include_cxx_prelude": true, "max_recursion": 500'
    run_well ./prog
    export_as json prog_all.vfd
    mv exported name
    expect_same "$(cat name)" prog_all.json "the file"
    expect_valid prog_all.json
    expect_calls_of_log prog_all.json prog_all.log
    expect_same "$(from_json prog_all.json 'p["threads"]["started"]["threads"], len(p["threads"]["longest"]), p["metadata"]["threads"], p["metadata"]["ranks"], p["metadata"]["mpi"]')" \
        "(2, 3, 3, 1, False)" "threads, ranks and MPI"
    # The name is what stands in the log, quotes and all, and recursion counts once.
    expect_same "$(from_json prog_all.json '[(f["calls"], "größe" in f["function"]) for f in p["functions"] if chr(34) * 2 in f["function"]]')" "[(300, True)]" "calls of the literal"
    expect_same "$(from_json prog_all.json '[f["inclusive_ns"] <= p["head"]["total_runtime_ns"] for f in p["functions"] if f["function"] == "deep(int)"]')" "[True]" "inclusive time of recursion"
    local start
    start=$(from_json prog_all.json 'p["metadata"]["start_time"]')
    expect_same "$(date -u -d "$start" +%s)" "$(from_json prog_all.json 'p["metadata"]["start_time_ns"] // 10**9')" "seconds of $start"
    "$vftr" report --format=json prog_all.vfd | cmp - prog_all.json || fail "vftr report --format=json is another one"
    export_as csv -o prog.csv prog_all.vfd
    "$vftr" report --format=csv prog_all.vfd | cmp - prog.csv || fail "vftr report --format=csv is another one"
}

test_openmp_has_regions_and_efficiencies() {
    python_with jsonschema
    echo 'int main(void) { return 0; }' >empty.c
    $cc -fopenmp empty.c -o empty 2>/dev/null || skip "no OpenMP with $cc"
    build loops.c -fopenmp <<'END'
static int work(int n) { volatile int x = 0; for (int i = 0; i < n; i++) x += i; return x; }
int main(void)
{
    for (int i = 0; i < 20; i++) {
#pragma omp parallel for num_threads(2)
        for (int k = 0; k < 8; k++)
            work(1000 * k);
    }
    return 0;
}
END
    config
    run_well ./loops
    export_as json -o loops.json loops_all.vfd
    expect_valid loops.json
    expect_calls_of_log loops.json loops_all.log
    grep -q '^OpenMP regions' loops_all.log || skip "no OpenMP regions with $cc"
    expect_same "$(from_json loops.json '[(r["calls"], r["largest_team"]) for r in p["openmp_regions"]]')" "[(20, 2)]" "regions"
    from_json loops.json '"Parallel efficiency %.1f %%" % (100 * p["breakdown"]["parallel_efficiency"])' >expected
    grep -qF "$(cat expected)" loops_all.log || fail "no '$(cat expected)' in the log, but $(grep 'Parallel eff' loops_all.log)"
}

# Issue: a call tree in depth-first order: […] per rank and thread where asked
test_threads_one_by_one_add_up_to_all_of_them() {
    python_with jsonschema
    build threads.c -fopenmp <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#define N __attribute__((noinline))
N int leaf(int n) { volatile int x = n; return x; }
N void *worker(void *n) { for (int i = 0; i < 5; i++) leaf(i); return n; }
N void loop(void) {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 100; i++) leaf(i);
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    pid_t child = fork();
    if (child == 0) { leaf(1); leaf(2); _exit(0); }
    waitpid(child, 0, 0);
    loop();
    return leaf(0);
}
END
    config '"sampling": {"active": true}, "openmp": {"active": true}'
    run_well ./threads
    export_as json -o all.json threads_0.vfd ./*.tmpvfd
    export_as json --each-thread -o each.json threads_0.vfd ./*.tmpvfd
    export_as json --threads=1 -o one.json threads_0.vfd ./*.tmpvfd
    expect_valid each.json one.json
    # Times are whole nanoseconds, those of each thread and those of all.
    python3 - each.json all.json <<'END' || fail "calls and times of the threads' call paths are not those of all threads"
import collections, json, sys
def sums(file):
    of_paths = collections.defaultdict(lambda: [0, 0, 0])
    for profile in json.load(open(file))["profiles"]:
        for path in profile["call_paths"]:
            of_path = of_paths[path["id"], path["function"]]
            for i, part in enumerate((path["calls"], path["exclusive_ns"], 1)):
                of_path[i] += part
    return of_paths
each, of_all = map(sums, sys.argv[1:])
assert each.keys() == of_all.keys(), (each, of_all)
for path, (calls, ns, threads) in each.items():
    assert calls == of_all[path][0] and abs(ns - of_all[path][1]) <= threads, (path, each[path], of_all[path])
END
    expect_same "$(from_json each.json '[(q["title"].split(" (")[0], q["thread"], sum(c["calls"] for c in q["call_paths"] if c["function"] == "worker")) for q in d["profiles"]][:3]')" \
        "[('threads', 0, 0), ('threads', 1, 1), ('threads', 2, 0)]" "the first three threads"
    expect_same "$(from_json one.json 'p["title"], [c["calls"] for c in p["call_paths"] if c["function"] in ("worker", "leaf")], len(d["profiles"])')" "('threads 1', [1, 5], 1)" "thread 1 alone"
    expect_refused 1 '--threads: no file has a thread 17' "$vftr" export --format=json --threads=17 threads_0.vfd ./*.tmpvfd
}

test_ranks_have_messages_and_minima() {
    python_with jsonschema
    needs_mpi
    build_mpi ranks.c <<'END'
#include <mpi.h>
static int leaf(int n) { return n; }
int main(int argc, char **argv)
{
    char data[24] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i <= rank; i++)
        leaf(1);
    if (rank == 0)
        for (int i = 0; i < 5; i++)
            MPI_Send(data, 24, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        for (int i = 0; i < 5; i++)
            MPI_Recv(data, 24, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END
    config '"sampling": {"active": true}'
    ranks_well 2 ./ranks
    export_as json -o merged.json ranks_all.vfd
    export_as json -o ranks.json ranks_0.vfd ranks_1.vfd
    export_as json --each-rank -o each.json ranks_0.vfd ranks_1.vfd
    export_as json --ranks=1 -o one.json ranks_0.vfd ranks_1.vfd
    "$vftr" report --format=json --rank=1 ranks_0.vfd ranks_1.vfd | cmp - one.json || fail "vftr report --rank is another one"
    expect_valid merged.json ranks.json each.json one.json
    expect_calls_of_log merged.json ranks_all.log
    expect_same "$(from_json merged.json '[(c["from_rank"], c["to_rank"], c["messages"], c["bytes"]) for c in p["message_matrix"]["cells"]]')" "[(0, 1, 5, 120)]" "the matrix"
    expect_same "$(from_json merged.json '[(m["function"], m["sent"]["messages"], m["received"]["bytes"]) for m in p["messages"]]')" \
        "[('MPI_Recv', 0, 120), ('MPI_Send', 5, 0)]" "messages"
    expect_same "$(from_json merged.json '[(c["calls"], c["ranks"], c["exclusive_min_rank"] in (0, 1)) for c in p["call_paths"] if c["function"] == "leaf"]')" "[(3, 2, True)]" "leaf"
    expect_same "$(from_json each.json '[(q["title"], q["metadata"]["first_rank"], q["metadata"]["ranks"]) for q in d["profiles"]]')" "[('rank 0', 0, 2), ('rank 1', 1, 2)]" "ranks one by one"
}

# Issue: json, csv: every table of the log
test_tables_of_csv_have_the_figures_of_json() {
    needs_mpi
    case $("$cc" --version) in *clang*) skip "the compiler's OpenMP is another one" ;; esac
    build_mpi both.c -fopenmp <<'END'
#include <mpi.h>
static int leaf(int n) { volatile int x = n; return x; }
static void loop(void)
{
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 1000; i++)
        leaf(i);
}
int main(int argc, char **argv)
{
    char data[24] = {0};
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5 * (rank + 1); i++)
        loop();
    if (rank == 0)
        MPI_Send(data, 24, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(data, 24, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
    config '"sampling": {"active": true}, "openmp": {"active": true}'
    ranks_well 2 ./both
    local all
    all=$("$vftr" complete 1 export --table= | sed 's/^--table=//; s/\t.*//' | paste -sd,)
    # Of all ranks, and with a part for each of them.
    export_as json,csv --table="$all" --lines both_0.vfd both_1.vfd
    mkdir each
    (cd each && export_as json,csv --table="$all" --each-rank ../both_0.vfd ../both_1.vfd)
    expect_same "$(sed -n 's/^both_all\.\(.*\)\.csv$/\1/p' exported | paste -sd,)" "$all" "files of tables"
    export_as csv -o functions.csv --table=functions --lines both_0.vfd both_1.vfd
    cmp functions.csv both_all.functions.csv || fail "a table alone is another one"
    python3 - "$all" . each <<'END' >said 2>&1 || fail "$(tail -3 said)"
import csv, json, sys
try:
    import pandas
except ImportError:
    pandas = None

def cells(row):
    """Of a row of JSON, as comma-separated values have them."""
    all = {}
    for name, value in row.items():
        if isinstance(value, dict):
            all.update({f'{name}_{inner}': text for inner, text in cells(value).items()})
        elif isinstance(value, list):
            all[name] = ' '.join(str(a) if a == b else f'{a}-{b}' for a, b in value)
        elif isinstance(value, bool):
            all[name] = str(value).lower()
        else:
            all[name] = str(value)
    return {name: text for name, text in all.items() if text}

def by_key(key, rows, unit=''):
    return [{key: name, **{k if k.endswith('rank') else k + unit: v for k, v in row.items()}} for name, row in rows.items()]

def tables(profile):
    metadata = dict(profile['metadata'])
    yield 'applications', metadata.pop('applications', [])
    yield 'metadata', [metadata]
    yield 'head', [profile['head']]
    breakdown = dict(profile['breakdown'])
    yield 'breakdown', by_key('activity', breakdown.pop('time_ns'), '_ns')
    yield 'efficiencies', [breakdown]
    yield 'findings', profile['findings']
    yield 'functions', profile['functions']
    yield 'paths', profile['call_paths']
    yield 'messages', profile['messages']
    yield 'messages_by_rank', by_key('quantity', profile['messages_by_rank'])
    yield 'message_matrix', profile['message_matrix']['cells']
    yield 'lighter_pairs', [profile['message_matrix']['lighter_pairs']]
    threads = dict(profile['threads'])
    yield 'threads', threads.pop('longest')
    yield 'thread_totals', by_key('which', threads)
    yield 'openmp_regions', profile['openmp_regions']

known = sys.argv[1].split(',')
for folder in sys.argv[2:]:
    rows = {}
    for profile in json.load(open(folder + '/both_all.json'))['profiles']:
        for name, of_profile in tables(profile):
            rows.setdefault(name, []).extend({'part': profile['title'], **cells(row)} for row in of_profile)
    assert sorted(rows) == sorted(known), (sorted(rows), sorted(known))
    for name, expected in rows.items():
        file = f'{folder}/both_all.{name}.csv'
        seen = [{k: v for k, v in row.items() if v} for row in csv.DictReader(open(file, newline=''))]
        assert len(seen) == len(expected), (file, len(seen), len(expected))
        for a, b in zip(seen, expected):
            assert a.keys() == b.keys(), (file, a, b)
            assert all(v == b[k] or float(v) == float(b[k]) for k, v in a.items()), (file, a, b)
        assert expected or name in ('applications', 'findings'), f'{file} has no rows'
        if pandas is not None:
            assert len(pandas.read_csv(file)) == len(expected), file
END
}

test_a_killed_program_says_so() {
    python_with jsonschema
    build prog.c <<'END'
#include <stdio.h>
#include <unistd.h>
static void leaf(void) {}
int main(void)
{
    for (int i = 0; i < 8; i++)
        leaf();
    printf("%d\n", (int)getpid());
    fflush(stdout);
    for (;;)
        pause();
}
END
    config
    begin ./prog
    kill -9 "$pid"
    wait $job 2>/dev/null
    exec 9>&-
    report prog_*.tmpvfd
    export_as json -o prog.json prog_*.tmpvfd
    expect_valid prog.json
    expect_calls_of_log prog.json report
    from_json prog.json 'd["remarks"]' >remarks
    grep -q '1 recording was not closed' remarks || fail "remarks: $(cat remarks)"
}

test_report_refuses_what_has_no_such_form() {
    echo 'int main(void) { return 0; }' >prog.c
    build prog
    config
    run_well ./prog
    refused() { # TEXT ARGUMENTS…
        expect_refused 2 "$1" "$vftr" report "${@:2}"
        expect_same "$(cat out)" "" "output"
    }
    refused '--format is json or csv' --format=dot prog_all.vfd
    refused '--format prints' --format=json --tree prog_all.vfd
    refused '--format prints' --format=csv --output=. prog_all.vfd
}

run_tests
