# SPDX-License-Identifier: BSD-3-Clause
#
# Reads what `protoc --decode=Trace perfetto_trace.proto` prints of a trace, and checks what viewers rely on: each
# sequence begins with a cleared state and is used by one track; ids are defined on their sequence before they are used,
# and once; the clocks are there; slices of a track nest and follow each other in time; each message has a send and a
# receive; processes and threads have ids of their own. Prints what is in the trace, as lines of words with tabs:
# "call N FUNCTION", "open FUNCTION" (outermost first), "function PROCESS CALLS NS FUNCTION" (the exclusive time, - where a call is open), "message FROM TO BYTES TAG", "wait PROCESS STATE CALL RANK NS", "note TEXT", "source FUNCTION FILE LINE",
# "process PID NAME LABEL", "thread PROCESS TID NAME", and of profiles "sample FUNCTION NS CALLS", summed up.
# The first thing that is wrong ends it with exit code 1 and one line.
import collections
import re
import sys

LINE = re.compile(r'^ *(?:([A-Za-z_0-9]+)(?: \{|: (.*))|\})$')
ESCAPE = re.compile(rb'\\([0-7]{1,3}|.)')
CLOCKS = [1, 3, 6, 64]  # REALTIME, MONOTONIC, BOOTTIME, and that of the sequence


def text_of(quoted):
    single = {b'n': b'\n', b't': b'\t', b'r': b'\r'}
    raw = quoted[1:-1].encode()
    return ESCAPE.sub(lambda m: bytes([int(m[1], 8)]) if m[1].isdigit() else single.get(m[1], m[1]), raw).decode('utf-8')


def value_of(text):
    if text.startswith('"'):
        return text_of(text)
    return int(text) if re.fullmatch(r'-?\d+', text) else text


def packets(lines):
    """Each packet as a dictionary of lists."""
    open_messages = []
    for line in lines:
        match = LINE.match(line.rstrip('\n'))
        check(match, 'not a line of protoc: ' + line)
        name, value = match[1], match[2]
        if name is None:
            message = open_messages.pop()
            if not open_messages:
                yield message
            continue
        if name.isdigit():
            check(False, f'a field without a name: {line.strip()}')
        if value is not None:
            open_messages[-1].setdefault(name, []).append(value_of(value))
            continue
        inner = {}
        if open_messages:
            open_messages[-1].setdefault(name, []).append(inner)
        open_messages.append(inner)
    check(not open_messages, 'the trace ends inside of a packet')


def check(condition, complaint):
    if not condition:
        sys.exit(f'packet {number}: {complaint}')


def one(message, name, default=None):
    values = message.get(name, [default])
    if len(values) != 1 or values[0] is None:  # the text of each message would take most of the time
        check(False, f'{len(values)} times {name} in {message}')
    return values[0]


class Sequence:
    def __init__(self, packet):
        check(one(packet, 'sequence_flags') == 3, 'the first packet of a sequence has flags 3')
        check(one(packet, 'first_packet_on_sequence') == 'true', 'it is not said to be the first one')
        defaults = one(packet, 'trace_packet_defaults')
        check(one(defaults, 'timestamp_clock_id') == 64, 'the default clock')
        self.track = one(one(defaults, 'track_event_defaults'), 'track_uuid')
        clocks = {one(clock, 'clock_id'): clock for clock in one(packet, 'clock_snapshot')['clocks']}
        check(sorted(clocks) == CLOCKS, f'clocks {sorted(clocks)}')
        check([one(clocks[id], 'is_incremental', 'no') for id in CLOCKS] == ['no', 'no', 'no', 'true'], 'is_incremental')
        self.snapshot = [one(clocks[id], 'timestamp') for id in CLOCKS]
        self.start = self.now = self.snapshot[-1]
        self.interned = {}
        self.samples = defaults.get('stack_sample_defaults')
        self.open = []  # names and begins of slices
        self.below = [0]  # the time of the slices in each of them that have ended, and in none
        self.functions = {}  # calls and exclusive time
        self.sources = set()  # function, file, line
        self.latest = 0

    def intern(self, data):
        for kind, entries in data.items():
            for entry in entries:
                iid = one(entry, 'iid')
                check(iid > 0 and (kind, iid) not in self.interned, f'{kind} {iid} is 0 or defined twice')
                self.interned[kind, iid] = entry

    def name_of(self, kind, iid):
        check((kind, iid) in self.interned, f'{kind} {iid} is not defined')
        return one(self.interned[kind, iid], 'name')

    def leaf_of(self, sample):
        if ('callstacks', iid := one(sample, 'callstack_iid')) not in self.interned:
            check(False, f'call stack {iid} is not defined')
        for frame_iid in self.interned['callstacks', iid]['frame_ids']:
            check(('frames', frame_iid) in self.interned, f'frame {frame_iid} is not defined')
            frame = self.interned['frames', frame_iid]
            check(('function_names', frame['function_name_id'][0]) in self.interned, 'the name of a frame is not defined')
            if 'source_path_iid' in frame:
                check(('source_paths', iid := frame['source_path_iid'][0]) in self.interned, f'source path {iid} is not defined')
                name = one(self.interned['function_names', frame['function_name_id'][0]], 'str')
                self.sources.add((name, one(self.interned['source_paths', iid], 'str'), one(frame, 'line_number')))
        return one(self.interned['function_names', frame['function_name_id'][0]], 'str')

    def time_of(self, packet):
        time = one(packet, 'timestamp')
        if 'timestamp_clock_id' in packet:
            check(one(packet, 'timestamp_clock_id') == 6, 'another clock than that of the trace')
            return time
        self.now += time
        return self.now


def main():
    global number
    sequences, tracks = {}, {}
    calls, sends, receives = collections.Counter(), {}, {}
    pids, tids, sampled = {}, {}, {}
    for packet in packets(sys.stdin):
        number += 1
        id = one(packet, 'trusted_packet_sequence_id')
        check(0 < id < 1 << 32, f'sequence {id}')
        if id not in sequences:
            sequences[id] = Sequence(packet)
            check([s.track for s in sequences.values()].count(sequences[id].track) == 1, 'two sequences of one track')
        else:
            check(one(packet, 'sequence_flags') == 2, 'a later packet of a sequence has flags 2')
            check('first_packet_on_sequence' not in packet, 'a second first packet')
        sequence = sequences[id]
        for data in packet.get('interned_data', []):
            sequence.intern(data)
        for track in packet.get('track_descriptor', []):
            uuid = one(track, 'uuid')
            check(uuid not in tracks or uuid == 0, f'track {uuid} is described twice')
            tracks[uuid] = track
            for process in track.get('process', []):
                pid = one(process, 'pid')
                check(pid > 0 and pid not in pids, f'pid {pid} is 0 or there twice')
                check(process['cmdline'][0] != '', 'a process without a command line')
                pids[pid] = uuid
                print('process', pid, one(process, 'process_name'), one(process, 'process_labels', '-'), sep='\t')
            for thread in track.get('thread', []):
                pid, tid = one(thread, 'pid'), one(thread, 'tid')
                check(pids.get(pid) == one(track, 'parent_uuid'), f'the process of thread {tid} comes later or is another one')
                check(tid > 0 and tid not in tids, f'tid {tid} is 0 or there twice')
                tids[tid] = uuid
                process = tracks[pids[pid]]['process'][0]
                print('thread', one(process, 'process_name'), tid, one(thread, 'thread_name'), sep='\t')
        for sample in packet.get('stack_sample', []):
            check(sequence.samples and 'follower_descriptors' in sequence.samples[0], 'weights are not described')
            check(one(one(sample, 'task_context'), 'pid') in pids, 'a sample of a process that is not described')
            check(sequence.time_of(packet) == sequence.start, 'a sample that is not at the start')
            leaf = sequence.leaf_of(sample)
            sampled[leaf] = [a + one(sample, b) for a, b in zip(sampled.get(leaf, (0, 0)), ('primary_weight', 'follower_weights'))]
        for event in packet.get('track_event', []):
            check(sequence.track in tracks, f'an event of track {sequence.track}, which is not described')
            time = sequence.time_of(packet)
            check(time >= sequence.start, 'an event before the start')
            kind = one(event, 'type')
            if kind == 'TYPE_INSTANT':
                check(sequence.name_of('event_categories', one(event, 'category_iids')) == 'message', 'another instant')
                name = sequence.name_of('event_names', one(event, 'name_iid'))
                to_from = {'send': ('flow_ids', 'to rank'), 'receive': ('terminating_flow_ids', 'from rank')}[name]
                values = {sequence.name_of('debug_annotation_names', one(a, 'name_iid')): one(a, 'uint_value')
                          for a in event['debug_annotations']}
                flow, known = one(event, to_from[0]), sends if name == 'send' else receives
                check(flow not in known, f'flow {flow} is there twice')
                known[flow] = (time, values[to_from[1]], values['bytes'], values['tag'])
                continue
            check(time >= sequence.latest, 'a slice begins or ends before the event in front of it')
            sequence.latest = time
            if kind == 'TYPE_SLICE_END':
                check(sequence.open, 'an end without a begin')
                name, begin, is_call = sequence.open.pop()
                check(begin <= time, 'an end before its begin')
                below = sequence.below.pop()
                sequence.below[-1] += time - begin
                if is_call:
                    sequence.functions[name][1] += time - begin - below
                if isinstance(name, tuple):
                    process = tracks[one(tracks[sequence.track], 'parent_uuid')]['process'][0]
                    print('wait', one(process, 'process_name'), *name, time - begin, sep='\t')
                continue
            check(kind == 'TYPE_SLICE_BEGIN', kind)
            sequence.below.append(0)
            if 'name' in event and one(event, 'categories') == 'wait':
                check(sequence.track not in tids.values(), 'a wait on the track of a thread')
                values = {one(a, 'name'): one(a, 'string_value' if 'string_value' in a else 'uint_value') for a in event['debug_annotations']}
                rank = values['first rank' if one(event, 'name') == 'early exit' else 'late rank']
                sequence.open.append(((one(event, 'name'), values['call'], rank), time, False))
                continue
            if 'name' in event:
                check(one(event, 'categories') == 'note', 'a slice with a name of its own')
                print('note', one(event, 'name'), sep='\t')
                sequence.open.append((one(event, 'name'), time, False))
                continue
            category = sequence.name_of('event_categories', one(event, 'category_iids'))
            check(category in ('function', 'mpi', 'openmp', 'region'), category)
            name = sequence.name_of('event_names', one(event, 'name_iid'))
            calls[name] += 1
            sequence.functions.setdefault(name, [0, 0])[0] += 1
            sequence.open.append((name, time, True))
            if 'source_location_iid' in event:
                iid = event['source_location_iid'][0]
                check(('source_locations', iid) in sequence.interned, f'source location {iid} is not defined')
                place = sequence.interned['source_locations', iid]
                check(one(place, 'function_name') == name, 'the source location of another function')
                sequence.sources.add((name, one(place, 'file_name'), one(place, 'line_number')))
    check(sequences, 'there is nothing')
    check(len({tuple(s.snapshot) for s in sequences.values()}) == 1 or '--files' in sys.argv, 'sequences with other clocks')
    check(not [uuid for uuid in tracks.values() if one(uuid, 'parent_uuid', 0) not in {**tracks, 0: 0}], 'no parent')
    for function, count in sorted(calls.items()):
        print('call', count, function, sep='\t')
    for function, weights in sorted(sampled.items()):
        print('sample', function, *weights, sep='\t')
    for sequence in sequences.values():
        still_open = {name for name, _, _ in sequence.open}
        for name, (count, ns) in sorted(sequence.functions.items()):
            process = tracks[one(tracks[sequence.track], 'parent_uuid')]['process'][0]
            print('function', one(process, 'process_name'), count, '-' if name in still_open else ns, name, sep='\t')
        for name, begin, is_call in sequence.open:
            check(is_call, 'a note or wait that does not end')
            print('open', name, sep='\t')
    check(sorted(sends) == sorted(receives) or '--part' in sys.argv, f'{len(sends)} sends and {len(receives)} receives are not those of each other')
    for flow, (begin, to, size, tag) in sorted(sends.items()):
        if flow not in receives:
            continue
        end, sender, received, its_tag = receives[flow]
        check((size, tag) == (received, its_tag), f'flow {flow} has other bytes or tags at its ends')
        check(begin <= end, f'flow {flow} goes back in time')
        print('message', sender, to, size, tag, sep='\t')
    for place in sorted(set().union(*(s.sources for s in sequences.values()))):
        print('source', *place, sep='\t')


number = 0
main()
