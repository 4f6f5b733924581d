# SPDX-License-Identifier: BSD-3-Clause
# The timelines of a job's ranks in the formats of other tools: on one clock, with messages from where they were sent to where they came.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# A ring of ranks whose messages overlap, are of one channel, and of a communicator of some of them.
recorded_ring() {
    build_mpi ring.c <<'END'
#include <mpi.h>
void exchange(MPI_Comm comm, int rank, int size)
{
    double out[4] = {0}, in[4][4];
    MPI_Request requests[8];
    for (int i = 0; i < 4; i++)
        MPI_Irecv(in[i], 4, MPI_DOUBLE, (rank + size - 1) % size, 7, comm, &requests[i]);
    for (int i = 0; i < 4; i++)
        MPI_Isend(out, 4, MPI_DOUBLE, (rank + 1) % size, 7, comm, &requests[4 + i]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; i++)
        exchange(MPI_COMM_WORLD, rank, size);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    exchange(half, rank, size);
    MPI_Finalize();
    return 0;
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    ranks_well 4 ./ring
}

test_messages_go_from_their_send_to_their_receive() {
    have python3 || skip "no python3"
    needs RAPIDJSON
    recorded_ring
    run_well "$vftr" export --format=chrome -o ring.json ring_0.vfd ring_1.vfd ring_2.vfd ring_3.vfd
    python3 - >found <<'END' || fail "$(cat found)"
import collections, json
events = json.load(open('ring.json'))['traceEvents']
title = {e['pid']: e['args']['name'] for e in events if e['name'] == 'process_name'}
assert sorted(title.values()) == ['rank 0', 'rank 1', 'rank 2', 'rank 3'], title
calls = collections.Counter((e['pid'], e['name']) for e in events if e['ph'] == 'X')
assert all(calls[rank, 'MPI_Irecv'] == 24 for rank in range(4)), calls
sends = {e['id']: e for e in events if e['ph'] == 's'}
receives = {e['id']: e for e in events if e['ph'] == 'f'}
assert len(sends) == len(receives) == 4 * 6 * 4, (len(sends), len(receives))
for id, send in sends.items():
    receive = receives[id]
    assert send['args']['to rank'] == receive['pid'] and receive['args']['from rank'] == send['pid'], (send, receive)
    assert send['args']['bytes'] == receive['args']['bytes'] == 32
    assert send['ts'] <= receive['ts'], (send, receive) # the ranks of one machine have one clock
# The n-th message that a rank sends to another one is the n-th that is received of it.
for pair in {(e['pid'], e['args']['to rank']) for e in sends.values()}:
    sent = [e['id'] for e in events if e['ph'] == 's' and (e['pid'], e['args']['to rank']) == pair]
    received = [e['id'] for e in events if e['ph'] == 'f' and (e['args']['from rank'], e['pid']) == pair]
    assert sent == received, pair
END
    # Of some ranks there are the messages of these.
    run_well "$vftr" export --format=chrome --ranks=1-2 -o some.json ring_0.vfd ring_1.vfd ring_2.vfd ring_3.vfd
    expect_same "$(grep -o '"rank [0-9]"' some.json | tr -d '\n')" '"rank 1""rank 2"' "ranks"
    python3 - >found <<'END' || fail "$(cat found)"
import json
events = json.load(open('some.json'))['traceEvents']
assert {e['pid']: e['args']['name'] for e in events if e['name'] == 'process_name'} == {1: 'rank 1', 2: 'rank 2'}
assert {e['pid']: e['args']['sort_index'] for e in events if e['name'] == 'process_sort_index'} == {1: 1, 2: 2}
assert {e['pid'] for e in events if e['ph'] == 'X'} == {1, 2}
END
}

test_data_frames_have_each_rank() {
    python_with pandas
    needs RAPIDJSON
    recorded_ring
    PYTHONPATH=$srcdir/python PYTHONDONTWRITEBYTECODE=1 VFTR=$vftr "$python" - >said 2>&1 <<'END' || fail "$(tail -3 said)"
import vftrace
run = vftrace.read([f'ring_{rank}.vfd' for rank in range(4)])
calls = run.profile.reset_index().pivot_table(index='function', columns='rank', values='calls', aggfunc='sum')
assert list(calls.columns) == [0, 1, 2, 3] and (calls.loc['MPI_Irecv'] == 24).all(), calls
assert (calls.sum(axis=1) == run.functions.calls[calls.index]).all()
# Five exchanges of four messages of 32 bytes with the next rank; ranks 0 and 1, 2 and 3 have one more with each other.
assert run.matrix.loc[1, 2] == 5 * 4 * 32 and run.matrix.loc[0, 1] >= 6 * 4 * 32, run.matrix
sends = run.messages[run.messages.function == 'MPI_Isend']
assert sends.sent_messages.sum() == 4 * 24 and sends.sent_bytes.sum() == 4 * 24 * 32, sends
events = run.events(ranks=[1, 2])
assert sorted(events['rank'].unique()) == [1, 2] and (events.function == 'MPI_Irecv').sum() == 48
# The moment 0 is that of the run, whatever ranks are asked for.
whole = run.events(ranks=range(4))
starts = lambda frame: frame[(frame['rank'] == 2) & (frame.function == 'main')].start_ns.tolist()
assert starts(events) == starts(whole)
merged = vftrace.read('ring_all.vfd')
assert set(merged.profile.index.get_level_values('rank')) == {-1}
assert merged.functions.calls.to_dict() == run.functions.calls.to_dict()
END
}

run_tests
