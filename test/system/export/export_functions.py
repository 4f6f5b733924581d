# SPDX-License-Identifier: BSD-3-Clause
"""Prints the calls and the exclusive time of each function in exports, whatever their formats.

usage: export_functions.py FORMAT=FILE...

The lines are "FORMAT<TAB>RANK<TAB>CALLS<TAB>NS<TAB>FUNCTION", without the root. RANK is "rank 3" where the file has ranks one by one, else empty. What a
format does not have is "-", as the time of a function of which a call has not ended. Folded stacks have one number: of `folded` it is the time, of
`folded_calls` the calls. `speedscope` is the timeline of such a file, `speedscope_profile` the profile in it.

Formats of text are read here, by nothing but their descriptions; vfd3 by vfd3.py, otf2 by its own module, and perfetto by protoc.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys

import vfd3
from open_calls import OpenCalls

# Each function of_<format> gives (process or part, function, calls, ns), any number of times for a function; None: not known.


def of_csv(path):
    with open(path, newline='') as file:
        for row in csv.DictReader(file):
            yield row['part'], row['function'], int(row['calls']), int(row['exclusive_ns'])


def of_events(path):
    """A row for each call, after those of the calls below it."""
    ended = collections.defaultdict(list)  # by thread: depth and duration of calls that nobody has made so far
    with open(path, newline='') as file:
        for row in csv.DictReader(file):
            if row['duration_ns'] == '':
                yield row['process'], row['function'], 1, None
                continue
            of_thread = ended[row['rank'], row['process'], row['thread']]
            depth, duration, below = int(row['depth']), int(row['duration_ns']), 0
            while of_thread and of_thread[-1][0] > depth:
                below += of_thread.pop()[1]
            assert below <= duration, 'calls nest'
            of_thread.append((depth, duration))
            yield row['process'], row['function'], 1, duration - below


def folded_lines(path):
    for line in pathlib.Path(path).read_text().splitlines():
        stack, weight = line.rsplit(' ', 1)
        frames = stack.split(';')
        yield frames[0], frames[-1], int(weight)


def of_folded(path):
    for part, function, weight in folded_lines(path):
        yield part, function, None, weight


def of_folded_calls(path):
    for part, function, weight in folded_lines(path):
        yield part, function, weight, None


def of_json(path):
    for profile in json.loads(pathlib.Path(path).read_text())['profiles']:
        for function in profile['functions']:
            yield profile['title'], function['function'], function['calls'], function['exclusive_ns']


def of_chrome(path):
    """Viewers sort calls by their begin, and by the file where these are equal."""
    processes, threads = {}, collections.defaultdict(list)
    for event in json.loads(pathlib.Path(path).read_text())['traceEvents']:
        if event['ph'] == 'M' and event['name'] == 'process_name':
            processes[event['pid']] = event['args']['name']
        elif event['ph'] in 'XB':
            begin = round(event['ts'] * 1000)
            end = begin + round(event['dur'] * 1000) if event['ph'] == 'X' else float('inf')
            threads[event['pid'], event['tid']].append((begin, -end, event['name']))
    for (pid, _), of_thread in threads.items():
        ends, calls = [], OpenCalls()
        for begin, negative_end, function in sorted(of_thread, key=lambda call: call[:2]):
            while ends and ends[-1] <= begin:
                yield processes[pid], *one(calls.leave(ends.pop()))
            assert not ends or -negative_end <= ends[-1], 'calls nest'
            ends.append(-negative_end)
            calls.enter(begin, function)
        while ends and ends[-1] != float('inf'):
            yield processes[pid], *one(calls.leave(ends.pop()))
        for function in calls.functions():
            yield processes[pid], function, 1, None


def one(ended):
    function, ns = ended
    return function, 1, ns


def of_speedscope(path):
    file = json.loads(pathlib.Path(path).read_text())
    for profile in file['profiles']:
        if profile['type'] != 'evented':
            continue
        process, open_frames, calls = profile['name'].rsplit(', thread ', 1)[0], [], OpenCalls()
        for event in profile['events']:
            if event['type'] == 'O':
                open_frames.append(event['frame'])
                calls.enter(event['at'], file['shared']['frames'][event['frame']]['name'])
            else:
                assert open_frames.pop() == event['frame'], 'calls nest'
                yield process, *one(calls.leave(event['at']))
        assert not open_frames, 'each call has an end'


def of_speedscope_profile(path):
    file = json.loads(pathlib.Path(path).read_text())
    for profile in file['profiles']:
        if profile['type'] == 'sampled':
            for sample, weight in zip(profile['samples'], profile['weights']):
                yield profile['name'], file['shared']['frames'][sample[-1]]['name'], None, weight


def of_callgrind(path):
    """As kcachegrind reads it: a part knows no names of the parts before it."""
    part, names, function, of_callee = '', {}, None, False
    for line in pathlib.Path(path).read_text().splitlines():
        named = re.fullmatch(r'(fn|cfn)=(\(\d+\))(?: (.*))?', line)
        if named:
            if named[3] is not None:
                names[named[2]] = named[3]
            if named[1] == 'fn':
                function = names[named[2]]
        elif line.startswith('part: '):
            names = {}
        elif line.startswith('desc: Trigger: '):
            part = line.removeprefix('desc: Trigger: ')
        elif line.startswith('calls='):
            of_callee = True
        elif function and re.fullmatch(r'\d+ \d+ \d+', line):
            if not of_callee:
                _, ns, calls = map(int, line.split(' '))
                yield part, function, calls, ns
            of_callee = False


def of_vfd3(path):
    for file in sorted(pathlib.Path(path).glob('*.vfd')):
        thread = vfd3.read(file)
        for ended in thread.calls:
            yield f'rank {thread.rank}' if thread.ranks > 1 else '', *one(ended)


def of_otf2(path):
    import otf2
    with otf2.reader.open(path + '/traces.otf2') as trace:
        threads = collections.defaultdict(OpenCalls)
        for location, event in trace.events:
            if isinstance(event, otf2.events.Enter):
                threads[location].enter(event.time, event.region.name)
            elif isinstance(event, otf2.events.Leave):
                yield location.group.name, *one(threads[location].leave(event.time))
        assert not any(calls.functions() for calls in threads.values()), 'each call has an end'


def of_perfetto(path):
    support = pathlib.Path(__file__).parents[2] / 'support'
    with open(path, 'rb') as file:
        decoded = subprocess.run(['protoc', '-I', support, '--decode=Trace', 'perfetto_trace.proto'], stdin=file, check=True, capture_output=True)
    checked = subprocess.run([sys.executable, support / 'perfetto_check.py'], input=decoded.stdout, capture_output=True)
    assert checked.returncode == 0, checked.stderr.decode()
    for line in checked.stdout.decode().splitlines():
        kind, *words = line.split('\t')
        if kind == 'function':
            process, calls, ns, function = words
            yield process, function, int(calls), None if ns == '-' else int(ns)


def main(*exports):
    for export in exports:
        name, path = export.split('=', 1)
        sums = {}
        for process, function, *numbers in globals()['of_' + name](path):
            key = process if re.fullmatch(r'rank \d+', process) else '', function
            sums[key] = [None if None in (sum_, number) else sum_ + number for sum_, number in zip(sums.get(key, (0, 0)), numbers)]
        for (rank, function), (calls, ns) in sorted(sums.items()):
            if function != 'init':
                print(name, rank, '-' if calls is None else calls, '-' if ns is None else ns, function, sep='\t')


if __name__ == '__main__':
    main(*sys.argv[1:])
