# SPDX-License-Identifier: BSD-3-Clause
#
# Reads timeline files of Vftrace 2.0 by the description of their format, and nothing else: every byte has to be used,
# and calls have to nest. Prints lines "call FUNCTION" and "message FROM TO BYTES TAG", the latter for what was sent.
import collections
import struct
import sys

from open_calls import OpenCalls

# What a file has: the rank of its thread among how many, its calls as functions with their exclusive times in ns, and the messages
# that it sent, as (from, to, bytes, tag).
Thread = collections.namedtuple('Thread', 'rank ranks calls messages')


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
    result = Thread(rank, processes, [], [])
    file.at, now, open_stacks, calls, counts = offsets[0], 0, [], OpenCalls(), [0, 0]
    for _ in range(functions + messages):
        kind = file.get('i')
        counts[kind == 2] += 1
        if kind == 2:
            direction, peer, _, elements, size, tag, begin, end, stack, thread = file.get('6iqq2i')
            assert begin <= end and thread == 0 and 0 <= stack < stacks
            if direction == 0:
                result.messages.append((rank, peer, elements * size, tag))
            continue
        stack, time = file.get('iq')
        assert now <= time <= runtime * 1e9 + 1
        now = time
        if kind == 0:
            assert stack < stacks
            open_stacks.append(stack)
            calls.enter(time, names[stack])
        else:
            assert stack == open_stacks.pop()
            result.calls.append(calls.leave(time))
    assert not open_stacks and counts == [functions, messages] and file.at == offsets[1]
    return result


def main(*paths):
    for thread in map(read, paths):
        for function, _ in thread.calls:
            print('call', function)
        for message in thread.messages:
            print('message', *message)


if __name__ == '__main__':
    main(*sys.argv[1:])
