# SPDX-License-Identifier: BSD-3-Clause
#
# Reads timeline files of Vftrace 2.0 by the description of their format, and nothing else: every byte has to be used,
# and calls have to nest. Prints lines "call FUNCTION" and "message FROM TO BYTES TAG", the latter for what was sent.
import struct
import sys


class Reader:
    def __init__(self, path):
        with open(path, 'rb') as file:
            self.bytes = file.read()
        self.at = 0

    def get(self, kinds):
        values = struct.unpack_from('=' + kinds, self.bytes, self.at)
        self.at += struct.calcsize('=' + kinds)
        return values if len(values) > 1 else values[0]

    def text(self, size=None):
        size = self.get('i') if size is None else size
        text = self.bytes[self.at:self.at + size]
        self.at += size
        assert text.endswith(b'\0') and text.count(b'\0') == 1, text
        return text[:-1].decode()


def read(path):
    file = Reader(path)
    assert file.get('i') == 3
    assert file.text().startswith('Vftrace ')
    length = file.get('i')
    dates = [file.text(length), file.text(length)]
    assert len(dates[0]) == 24 and dates[0] <= dates[1] or dates[0][:10] != dates[1][:10], dates
    interval, processes, rank, threads, runtime = file.get('qiiid')
    assert interval >= 0 and threads == 1 and rank < processes
    functions, messages, stacks, counters, observables = file.get('5I')
    assert counters == 0 and observables == 0
    offsets = file.get('4q')
    assert offsets[0] == file.at and offsets[2] == len(file.bytes) - 4 and offsets[3] == len(file.bytes)
    file.at = offsets[1]
    names = []
    for stack in range(stacks):
        caller = file.get('i')
        assert caller == -1 if stack == 0 else 0 <= caller < stack
        names.append(file.text().removesuffix('*'))
    assert file.at == offsets[2] and file.get('i') == -1
    file.at, now, calls, counts = offsets[0], 0, [], [0, 0]
    for _ in range(functions + messages):
        kind = file.get('i')
        counts[kind == 2] += 1
        if kind == 2:
            direction, peer, _, elements, size, tag, begin, end, stack, thread = file.get('6iqq2i')
            assert begin <= end and thread == 0 and 0 <= stack < stacks
            if direction == 0:
                print(f'message {rank} {peer} {elements * size} {tag}')
            continue
        stack, time = file.get('iq')
        assert now <= time <= runtime * 1e9 + 1
        now = time
        if kind == 0:
            assert stack < stacks
            calls.append(stack)
            print('call', names[stack])
        else:
            assert stack == calls.pop()
    assert not calls and counts == [functions, messages] and file.at == offsets[1]


for argument in sys.argv[1:]:
    read(argument)
