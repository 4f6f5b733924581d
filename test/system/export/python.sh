# SPDX-License-Identifier: BSD-3-Clause
# The package for Python: data frames have what the log has. It runs on a Python with pandas, which Debian has for its own.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/compare/programs.sh"

export PYTHONPATH=$srcdir/python PYTHONDONTWRITEBYTECODE=1 VFTR=$vftr
# A program of Python on stdin, which prints nothing where all is well.
in_python() {
    "$python" - "$@" >said 2>&1 || fail "$(tail -3 said)"
    [ ! -s said ] || fail "$(head -5 said)"
}

recorded_program() {
    python_with pandas
    needs RAPIDJSON
    build prog.c -pthread <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#define N __attribute__((noinline))
N int leaf(int n) { volatile int x = n; return x; }
N int fib(int n) { return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2); }
N void *worker(void *n) { fib(9); return n; }
N void lasts(void) { volatile long s = 0; for (int i = 0; i < 10000000; i++) s = s + i; }
int main(int argc, char **argv)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    fib(7);
    if (argc > 1)
        raise(SIGKILL);
    lasts();
    return argv == 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    run_well ./prog
    grouped_counts prog_all.log >counts
}

test_frames_have_the_calls_of_the_log() {
    recorded_program
    in_python <<'END'
import vftrace
log = {line.split('\t')[1].rstrip('\n'): int(line.split('\t')[0]) for line in open('counts')}
run = vftrace.read(['prog_0.vfd'])
assert run.metadata['vftrace_version'] == vftrace.__version__, run.metadata
assert run.metadata['ranks'] == 1 and run.metadata['threads'] == 3, run.metadata
assert run.functions.calls.to_dict() == log, run.functions
assert list(run.profile.index.names) == ['path', 'rank', 'thread'] and set(run.profile.index.get_level_values('rank')) == {0}
by_thread = run.profile.groupby(['function', 'thread']).calls.sum()
assert by_thread['fib'].to_dict() == {0: 41, 1: 109, 2: 109} and by_thread['worker'].to_dict() == {1: 1, 2: 1}, by_thread
assert run.profile.index.is_unique
assert run.profile.groupby('function').calls.sum().to_dict() == log
rounding = len(run.profile)  # times are whole nanoseconds, those of each thread and those of all
assert abs(run.profile.exclusive_ns.sum() - run.functions.exclusive_ns.sum()) <= rounding
assert run.functions.exclusive_ns.sum() == run.metadata['exclusive_ns']
paths = list(run.tree().walk())
assert [path.id for path in paths if path.parent is None] == [0]
assert {path.id: path.calls for path in paths} == run.profile.calls.groupby('path').sum().to_dict()
assert all((run.profile.loc[path.id, 'depth'] == path.depth).all() for path in paths)
assert str(run.tree()).count('\n') == len(paths) - 1
assert len(run.threads) == 3
assert run.messages.empty and run.matrix.empty
literal = run.hatchet_literal()
count = lambda nodes: sum(1 + count(node['children']) for node in nodes)
assert len(literal) == 1 and count(literal) == len(paths)
merged = vftrace.read('prog_all.vfd')
assert set(merged.profile.module.dropna()) == {'prog'}, merged.profile.module
assert merged.functions.calls.to_dict() == log
END
}

test_events_are_the_calls_and_nest() {
    recorded_program
    in_python <<'END'
import vftrace
log = {line.split('\t')[1].rstrip('\n'): int(line.split('\t')[0]) for line in open('counts')}
run = vftrace.read('prog_0.vfd')
calls = run.events()
assert calls.groupby('function', observed=True).size().to_dict() == log
assert calls.groupby('path').size().to_dict() == run.profile.calls.groupby('path').sum().to_dict()
assert calls.ended.all() and sorted(calls.thread.unique()) == [0, 1, 2]
events = run.pipit_events()
assert list(events.columns) == ['Timestamp (ns)', 'Event Type', 'Name', 'Thread', 'Process']
assert len(events) == 2 * len(calls) and events['Timestamp (ns)'].is_monotonic_increasing
for _, of_thread in events.groupby('Thread'):
    open_calls = []
    for kind, name in zip(of_thread['Event Type'], of_thread['Name']):
        if kind == 'Enter':
            open_calls.append(name)
        else:
            assert open_calls.pop() == name
    assert not open_calls
lasts = calls[calls.function == 'lasts'].iloc[0]
middle = (lasts.start_ns + lasts.duration_ns / 2) * 1e-9
part = run.events(middle, middle + 1e-6)
assert part[part.thread == 0].function.tolist() == ['init', 'main', 'lasts'], part
of_part = run.pipit_events(middle, middle + 1e-6)
of_part = of_part[of_part.Thread == 0]
assert of_part.Name.tolist() == ['init', 'main', 'lasts', 'lasts', 'main', 'init'], of_part
assert set(run.events(functions='^fib$').function) == {'fib'}
END
}

# Issue: adapters `to_hatchet()` and `to_pipit()`. Neither package is here: what stands for them takes what they take, by what their documentation says.
test_hatchet_and_pipit_get_what_they_take() {
    recorded_program
    mkdir stand_ins
    cat >stand_ins/hatchet.py <<'END'
class GraphFrame:
    @staticmethod
    def from_literal(graph):
        assert isinstance(graph, list) and graph
        frames, left = [], list(graph)
        while left:
            node = left.pop()
            assert set(node) <= {'frame', 'metrics', 'children', 'duplicate', 'name'} and {'frame', 'metrics'} <= set(node), node
            assert set(node['frame']) == {'name', 'type'} and all(isinstance(text, str) for text in node['frame'].values()), node['frame']
            assert {'time', 'time (inc)'} <= set(node['metrics']), node['metrics']
            assert all(isinstance(number, (int, float)) for number in node['metrics'].values()), node['metrics']
            frames.append(node)
            left.extend(node.get('children', []))
        made = GraphFrame()
        made.roots, made.frames = graph, frames
        return made
END
    cat >stand_ins/pipit.py <<'END'
class Trace:
    def __init__(self, definitions, events, cct=None):
        for column in ('Timestamp (ns)', 'Event Type', 'Name', 'Thread', 'Process'):
            assert column in events.columns, events.columns
        assert set(events['Event Type']) <= {'Enter', 'Leave', 'Instant'}
        self.definitions, self.events, self.cct = definitions, events, cct
END
    PYTHONPATH=$PWD/stand_ins:$PYTHONPATH in_python <<'END'
import hatchet, pipit, vftrace
run = vftrace.read('prog_0.vfd')
graph = run.to_hatchet()
assert isinstance(graph, hatchet.GraphFrame)
time, calls = {}, {}
for node in graph.frames:
    name = node['frame']['name']
    time[name] = time.get(name, 0) + node['metrics']['time']
    calls[name] = calls.get(name, 0) + node['metrics']['calls']
    below = sum(child['metrics']['time (inc)'] for child in node['children'])
    assert abs(node['metrics']['time'] + below - node['metrics']['time (inc)']) < 1e-6, node['frame']
assert calls == run.functions.calls.to_dict()
assert all(abs(time[name] - ns * 1e-9) < 1e-9 for name, ns in run.functions.exclusive_ns.items()), time
trace = run.to_pipit()
assert isinstance(trace, pipit.Trace)
entered = trace.events[trace.events['Event Type'] == 'Enter'].groupby('Name').size()
assert entered.to_dict() == calls, entered
assert len(run.to_pipit(functions='^fib$').events) == 2 * calls['fib']
END
}

# Issue: Python
test_a_comparison_has_the_rows_of_vftr_diff() {
    python_with pandas
    needs RAPIDJSON
    needs BOOST_MATH
    two_versions
    record before base ./-base
    record after new
    diffed --format=csv --noise=50 -o rows.csv base -- new
    in_python <<'END'
import pandas, pathlib, vftrace
rows = vftrace.diff('base', pathlib.Path('new'), noise=50)
expected = pandas.read_csv('rows.csv')
assert rows.function.tolist() == expected.function.tolist() and len(rows) > 5, rows
for name in expected.columns:
    same = (rows[name] == expected[name]) | (rows[name].isna() & expected[name].isna())
    if expected[name].dtype == 'float64' and rows[name].dtype == 'float64':
        same |= (rows[name] - expected[name]).abs() <= 1e-9 * expected[name].abs() + 1e-12
    assert same.all(), (name, rows[name], expected[name])
by_name = rows.set_index('function')
assert by_name.verdict['busy'] == 'slower' and by_name.verdict['fresh'] == 'new' and by_name.verdict['stale'] == 'gone'
assert by_name.calls_changed['leaf'] and by_name.new_calls_max['leaf'] == 30 and rows.base.dtype == 'float64'
assert rows.attrs['unit'] == 's' and rows.attrs['base']['runs'] == 1 and rows.attrs['total']['verdict'] == 'slower', rows.attrs
paths = vftrace.diff(['base', '-base'], 'new', paths=True, normalise='time')
assert paths.attrs['unit'] == '%' and paths.attrs['base']['runs'] == 2, paths.attrs
leaf = paths[paths.path == ('init', 'main', 'layer', 'solve_all', 'work', 'leaf')]
assert len(leaf) == 1 and leaf.base_calls_min.item() == 15, paths
work = paths[paths.path == ('init', 'main', 'layer', 'solve_all', 'work')]
assert work.moved_from.item() == 'solve' and paths.renamed_from.isna().all(), work
def told(text, *arguments, **options):
    try:
        vftrace.diff(*arguments, **options)
    except vftrace.VftraceError as error:
        assert text in str(error), error
    else:
        raise AssertionError(arguments)
told('none: cannot open: No such file', 'base', 'none')
told('give the files of both sides', [], 'new')
told('--by is sum, mean or max, not least', 'base', 'new', by='least')
END
}

# Issue: `pip install .` works
test_pip_installs_the_package() {
    python_with pandas
    local with_pandas=$python pip
    for pip in "$with_pandas" python3 none; do
        ! "$pip" -c 'import setuptools, wheel, pip' 2>/dev/null || break
    done
    [ $pip != none ] || skip "no pip with setuptools and wheel"
    needs RAPIDJSON
    echo 'int main(void) { return 0; }' >prog.c
    build prog
    config
    run_well ./prog
    cp -r "$srcdir/python" package
    chmod -R u+w package # in which pip leaves what it builds
    HOME=$PWD "$pip" -m pip install -q --disable-pip-version-check --no-index --no-deps --no-build-isolation --target there ./package >said 2>&1 || fail "pip: $(tail -3 said)"
    # shellcheck disable=SC2016
    PYTHONPATH=there "$with_pandas" -c 'import vftrace
print(vftrace.__file__, vftrace.__version__, vftrace.read("prog_all.vfd").functions.calls["main"])' >said 2>&1 || fail "$(tail -2 said)"
    expect_same "$(cat said)" "$PWD/there/vftrace/__init__.py $("$vftr" --version | sed 's/^vftr //') 1" "the package, its version, and the calls of main"
    expect_file "$(echo there/vftrace-*.dist-info/METADATA)"
}

test_a_killed_program_and_mistakes_are_told() {
    recorded_program
    rm prog_0.vfd prog_all.vfd
    may_be_killed=yes run ./prog killed 2>shell
    mkdir empty
    in_python <<'END'
import os, vftrace
run = vftrace.read('.')
calls = run.events()
assert calls[~calls.ended].function.tolist() == ['init', 'main'], calls[~calls.ended]
assert run.pipit_events()['Event Type'].value_counts().to_dict() == {'Enter': len(calls), 'Leave': len(calls) - 2}
def told(text, *arguments):
    try:
        vftrace.read(*arguments)
    except vftrace.VftraceError as error:
        assert text in str(error), error
    else:
        raise AssertionError(arguments)
told('none.vfd: cannot open', 'none.vfd')
told('no recordings in this folder', 'empty')
told('no file', [])
os.environ['VFTR'] = './none'
told('./none: No such file', 'x.vfd')
END
}

run_tests
