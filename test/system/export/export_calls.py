# SPDX-License-Identifier: BSD-3-Clause
"""Prints the calls of each function in an export, whatever its format: "CALLS<TAB>FUNCTION", sorted by function, without the root.

usage: export_calls.py FORMAT FILE

Formats of text are read here, by nothing but their descriptions; vfd3 by vfd3.py, and otf2 by its own module.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys


def of_csv(path):
    with open(path, newline='') as file:
        for row in csv.DictReader(file):
            yield row['function'], int(row.get('calls', 1))


of_events = of_csv  # a row for each call


def of_folded(path):
    for line in pathlib.Path(path).read_text().splitlines():
        stack, calls = line.rsplit(' ', 1)
        yield stack.rsplit(';', 1)[-1], int(calls)


def of_json(path):
    for function in json.loads(pathlib.Path(path).read_text())['profiles'][0]['functions']:
        yield function['function'], function['calls']


def of_chrome(path):
    for event in json.loads(pathlib.Path(path).read_text())['traceEvents']:
        if event['ph'] in 'XB':
            yield event['name'], 1


def of_speedscope(path):
    file = json.loads(pathlib.Path(path).read_text())
    for profile in file['profiles']:
        open_calls = []
        if profile['type'] != 'evented':
            continue
        for event in profile['events']:
            if event['type'] == 'O':
                open_calls.append(event['frame'])
                yield file['shared']['frames'][event['frame']]['name'], 1
            else:
                assert open_calls.pop() == event['frame'], 'calls nest'
        assert not open_calls, 'each call has an end'


def of_callgrind(path):
    names, function, of_callee = {}, None, False
    for line in pathlib.Path(path).read_text().splitlines():
        named = re.fullmatch(r'(fn|cfn)=(\(\d+\))(?: (.*))?', line)
        if named:
            if named[3] is not None:
                names[named[2]] = named[3]
            if named[1] == 'fn':
                function = names[named[2]]
        elif line.startswith('calls='):
            of_callee = True
        elif function and re.fullmatch(r'\d+ \d+ \d+', line):
            if not of_callee:
                yield function, int(line.split(' ')[2])
            of_callee = False


def of_vfd3(path):
    files = sorted(map(str, pathlib.Path(path).glob('*.vfd')))
    reader = pathlib.Path(__file__).with_name('vfd3.py')
    for line in subprocess.run([sys.executable, reader, *files], check=True, capture_output=True, text=True).stdout.splitlines():
        if line.startswith('call '):
            yield line.removeprefix('call '), 1


def of_otf2(path):
    import otf2
    with otf2.reader.open(path + '/traces.otf2') as trace:
        for _, event in trace.events:
            if isinstance(event, otf2.events.Enter):
                yield event.region.name, 1


def main(format_name, path):
    calls = collections.Counter()
    for function, count in globals()['of_' + format_name](path):
        calls[function] += count
    for function in sorted(calls):
        if function != 'init' and calls[function]:
            print(calls[function], function, sep='\t')


if __name__ == '__main__':
    main(*sys.argv[1:])
