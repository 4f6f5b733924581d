# SPDX-License-Identifier: BSD-3-Clause
# Archives of the Open Trace Format 2: what their own readers, otf2-print and the Python module otf2, find in them.
. "${srcdir:-.}/test/system/export/lib_export.sh"

exported() { # FOLDER ARGUMENTS…
    local folder=$1
    shift
    needs OTF2
    "$vftr" export --format=otf2 -o "$folder" "$@" >export.out 2>export.err || fail "vftr export $*: $(cat export.err)"
    expect_same "$(cat export.out export.err)" "" "what vftr export says"
}
# read_by_python FOLDER: checks what every archive must hold, and writes the files `calls` (of each region) and `records` (how many of each kind).
read_by_python() {
    python_with otf2
    "$python" - "$1" >python.out 2>&1 <<'END_OF_PYTHON' || fail "python: $(tail -5 python.out)"
import collections, sys
import otf2
from otf2 import events as e

calls, kinds = collections.Counter(), collections.Counter()
sent, received, collectives = (collections.Counter() for _ in range(3))
with otf2.reader.open(sys.argv[1] + '/traces.otf2') as trace:
    clock = trace.definitions.clock_properties
    rank_of = {}
    for group in trace.definitions.groups:
        if group.group_type == otf2.GroupType.COMM_LOCATIONS:
            rank_of = {location: rank for rank, location in enumerate(group.members)}
    members = {comm: len(comm.group.members) for comm in trace.definitions.comms}
    stacks, latest, requests, in_collective = {}, {}, collections.defaultdict(dict), {}
    for location, event in trace.events:
        kinds[type(event).__name__] += 1
        assert event.time >= latest.get(location, 0), 'the order of time'
        assert 0 <= event.time - clock.global_offset < clock.trace_length, 'the range of time'
        latest[location] = event.time
        stack = stacks.setdefault(location, [])
        if isinstance(event, e.Enter):
            stack.append(event.region)
            calls[event.region.name] += 1
        elif isinstance(event, e.Leave):
            assert stack and stack.pop() == event.region, 'calls that nest'
        elif isinstance(event, (e.MpiSend, e.MpiIsend)):
            own, peer = location, event.communicator.location(event.receiver)
            sent[rank_of[own], rank_of[peer], event.communicator, event.msg_tag, event.msg_length] += 1
        elif isinstance(event, (e.MpiRecv, e.MpiIrecv)):
            own, peer = location, event.communicator.location(event.sender)
            received[rank_of[peer], rank_of[own], event.communicator, event.msg_tag, event.msg_length] += 1
        elif isinstance(event, e.MpiCollectiveBegin):
            assert not in_collective.get(location), 'one collective call at a time'
            in_collective[location] = True
        elif isinstance(event, e.MpiCollectiveEnd):
            assert in_collective.pop(location), 'a begin of each collective call'
        if isinstance(event, (e.MpiCollectiveEnd, e.NonBlockingCollectiveComplete)):
            collectives[event.communicator, event.collective_op] += 1
        if isinstance(event, (e.MpiIsend, e.MpiIrecvRequest, e.NonBlockingCollectiveRequest)):
            assert event.request_id not in requests[location], 'a new request'
            requests[location][event.request_id] = type(event)
        for end, begin in ((e.MpiIsendComplete, e.MpiIsend), (e.MpiIrecv, e.MpiIrecvRequest),
                           (e.NonBlockingCollectiveComplete, e.NonBlockingCollectiveRequest)):
            if isinstance(event, end):
                assert requests[location].pop(event.request_id) == begin, 'a request of each end'
    assert not any(stacks.values()), 'an end of each call'
    assert not any(requests.values()), 'an end of each request'
    assert sent == received, f'sends without receives: {sent - received}, receives without sends: {received - sent}'
    for (comm, operation), n in collectives.items():
        assert n % members[comm] == 0, f'{operation} of all {members[comm]} members: {n}'
    with open('calls', 'w') as file:
        for name, n in calls.items():
            file.write(f'{n}\t{name}\n')
    with open('records', 'w') as file:
        for name, n in kinds.items():
            file.write(f'{n} {name}\n')
END_OF_PYTHON
}
# expect_records LINES: those of the file `records` besides Enter and Leave.
expect_records() { expect_same "$(grep -v ' Enter$\| Leave$' records | LC_ALL=C sort -k2)" "$1" "records"; }
# expect_calls_of_report FILES…: calls of each region are those of the report, but for constructs of OpenMP, in which the timeline has each
# thread of a team, and the root, which it has once for each thread.
expect_calls_of_report() {
    report "$@"
    grouped_counts report | grep -v "$(printf '\t')\(init$\|omp \)" | sort >expected
    expect_at_least "$(wc -l <expected)" 3 "functions"
    grep -v "$(printf '\t')\(init$\|omp \)" calls | sort | diff expected - >differences || fail "calls of the report (<) and of the archive (>): $(head -6 differences)"
}
expect_otf2_print() { # FOLDER
    have otf2-print || skip "no otf2-print"
    otf2-print -Werror --silent "$1/traces.otf2" >print.out 2>&1 || fail "otf2-print: $(head -5 print.out)"
    otf2-print -Werror -A "$1/traces.otf2" >printed 2>print.err || fail "otf2-print: $(head -5 print.err)"
    [ ! -s print.err ] || fail "otf2-print: $(head -5 print.err)"
}
timelines() { config '"sampling": {"active": true, "sample_interval": 0}'; }

recorded_calls() {
    build calls.c <<'END'
#include <stdlib.h>
#include <unistd.h>
#define N __attribute__((noinline))
N int f(int i) { return i + 1; }
N int g(int i) { return f(i) + f(i + 1); }
int main(int argc, char **argv)
{
    volatile int s = 0;
    for (int i = 0; i < atoi(argv[1]); i++)
        s += g(i);
    if (argc > 2)
        alarm(60), write(1, "ready\n", 6), pause();
    return 0;
}
END
    timelines
}

test_calls_are_those_of_the_report() {
    recorded_calls
    run_well ./calls 100000
    exported calls.otf2 calls_0.vfd
    expect_otf2_print calls.otf2
    grep -q '^REGION .*"g".*Role: FUNCTION, Paradigm: COMPILER' printed || fail "no region g"
    read_by_python calls.otf2
    expect_calls_of_report calls_0.vfd
    expect_records ""
    # The library gives each archive a number of its own.
    exported again.otf2 calls_0.vfd
    expect_same "$(diff -rq calls.otf2 again.otf2 | grep -v 'traces.otf2 differ')" "" "other files than the anchor that differ"
    sed 's/^\(Trace identifier  *\).*/\1/' printed >once
    expect_otf2_print again.otf2
    sed 's/^\(Trace identifier  *\).*/\1/' printed | cmp -s - once || fail "a second export is another one"
}

# Issue: regions with file and line, call paths, […] ClockProperties with real time
test_call_paths_and_the_clock_are_defined() {
    recorded_calls
    local before after
    before=$(date +%s%N)
    run_well ./calls 10
    after=$(date +%s%N)
    exported calls.otf2 calls_0.vfd
    "$vftr" export --format=csv -o rows calls_0.vfd || fail "vftr export --format=csv"
    python_with otf2
    "$python" - "$before" "$after" >said 2>&1 <<'END' || fail "$(tail -1 said)"
import csv, sys
import otf2
paths = {None: ()}
for row in csv.DictReader(open('rows', newline='')):
    paths[row['id']] = *paths[row['parent'] or None], row['function']
del paths[None]
with otf2.reader.open('calls.otf2/traces.otf2') as trace:
    defined = set()
    for path in trace.definitions.callpaths:
        names = ()
        while path is not None:
            names = path.region.name, *names
            path = path.parent
        defined.add(names)
    assert defined == set(paths.values()) and ('init', 'main', 'g', 'f') in defined, f'{defined}, not {set(paths.values())}'
    clock = trace.definitions.clock_properties
    times = [event.time for _, event in trace.events]
    assert clock.timer_resolution == 10**9, clock
    assert clock.global_offset <= min(times) and max(times) <= clock.global_offset + clock.trace_length, clock
    realtime = clock.realtime_timestamp + times[0] - clock.global_offset, clock.realtime_timestamp + times[-1] - clock.global_offset
    before, after = map(int, sys.argv[1:])
    assert before < realtime[0] < realtime[1] < after, f'{realtime} is not within {before} and {after}'
END
    have otf2-print || skip "no otf2-print"
    otf2-print -G calls.otf2/traces.otf2 >definitions 2>err || fail "otf2-print: $(head -3 err)"
    expect_same "$(grep -c '^CALLPATH ' definitions)" "$(($(wc -l <rows) - 1))" "call paths that otf2-print shows"
    local shown
    shown=$(date -d "$(sed -n 's/^CLOCK_PROPERTIES .*Date: //p' definitions)" +%s%N) || fail "no date: $(grep CLOCK definitions)"
    [ "$before" -lt "$shown" ] && [ "$shown" -lt "$after" ] || fail "$shown is not within $before and $after"
}

test_a_killed_program_has_an_end_of_each_call() {
    recorded_calls
    ./calls 10 wait >ready 2>err.program &
    until [ -s ready ] || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
    kill -KILL $! || fail "it has ended: $(cat err.program)"
    wait $! 2>/dev/null
    exported killed.otf2 ./*.tmpvfd
    expect_otf2_print killed.otf2
    grep -q 'Calls of processes that were killed' printed || fail "no remark in: $(grep Property printed)"
    read_by_python killed.otf2
    expect_same "$(grep -P '\t[fg]$' calls | sort -k2)" $'20\tf\n10\tg' "calls"
}

test_the_size_of_a_folder_is_limited() {
    recorded_calls
    run_well ./calls 100000
    exported small.otf2 --max-size=1M calls_0.vfd
    expect_at_most "$(find small.otf2 -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')" 1000000 "bytes"
    expect_otf2_print small.otf2
    grep -q 'calls are left out.*--max-size' printed || fail "no remark"
    grep -q '^ENTER .*"main"' printed || fail "no call of main"
}

test_what_cannot_be_written_is_one_line_and_leaves_nothing() {
    needs OTF2
    recorded_calls
    run_well ./calls 1000000
    mkdir small there
    : >before
    ls >before
    refused() { # TEXT ARGUMENTS…
        run "$vftr" export --format=otf2 "${@:2}"
        expect_status 1
        expect_same "$(cat err)" "vftr: $1" "vftr export ${*:2}"
    }
    refused 'standard output: otf2 is a folder, give its name' -o - calls_0.vfd
    refused 'there: File exists' -o there calls_0.vfd
    refused '--threads: no file has a thread 7 of a selected rank' --threads=7 -o x calls_0.vfd
    refused 'no/such/folder: No such file or directory' -o no/such/folder calls_0.vfd
    expect_same "$(ls)" "$(cat before)" "files"
    unshare -rm true 2>/dev/null || skip "no full disk without user namespaces"
    # Full at the first bytes, and in the middle of the events.
    local size
    for size in 4k 100k 2M 8M; do
        # shellcheck disable=SC2016
        run unshare -rm sh -c 'mount -t tmpfs -o size=$2 none small && "$1" export --format=otf2 -o small/x calls_0.vfd 2>error
            echo $? && ls -A small && cat error' sh "$vftr" "$size"
        expect_same "$(cat out)" $'1\nvftr: small/x: No space left on device' "$size"
    done
}

mpi_program() {
    needs_mpi
    case $("$cc" --version) in *clang*) skip "the compiler's OpenMP is another one" ;; esac
    build_mpi talk.c -fopenmp <<'END'
#include <mpi.h>
static int rank, size;
__attribute__((noinline)) static double work(int n)
{
    volatile double s = 0;
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}
static void ring(MPI_Comm comm, int tag)
{
    double out[10] = {0}, in[10];
    MPI_Request requests[2];
    int own, members;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &members);
    MPI_Irecv(in, 10, MPI_DOUBLE, (own + members - 1) % members, tag, comm, &requests[0]);
    MPI_Isend(out, 10, MPI_DOUBLE, (own + 1) % members, tag, comm, &requests[1]);
    work(1000);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
static void collectives(MPI_Comm half)
{
    double x = rank, y;
    MPI_Request request;
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&x, 1, MPI_DOUBLE, 1, half);
    MPI_Ibcast(&x, 1, MPI_DOUBLE, 0, half, &request);
    work(100);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_SELF);
}
static void between(MPI_Comm half)
{
    MPI_Comm inter;
    int x = 0;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? size - 2 : size - 1, 5, &inter);
    MPI_Barrier(inter);
    MPI_Bcast(&x, 1, MPI_INT, rank % 2 ? 0 : rank == size - 2 ? MPI_ROOT : MPI_PROC_NULL, inter);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 0, 6, inter);
    if (rank == size - 1)
        MPI_Recv(&x, 1, MPI_INT, size / 2 - 1, 6, inter, MPI_STATUS_IGNORE);
    MPI_Comm_free(&inter);
}
int main(int argc, char **argv)
{
    int provided;
    MPI_Comm half;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    for (int i = 0; i < 10; i++) {
        ring(MPI_COMM_WORLD, 7);
        ring(half, 7);
        collectives(half);
#pragma omp parallel num_threads(2)
        work(10);
    }
    between(half);
    MPI_Finalize();
    return 0;
}
END
    timelines
    ranks_well 4 ./talk
}

test_messages_have_their_partners() {
    mpi_program
    exported talk.otf2 talk_?.vfd
    read_by_python talk.otf2
    expect_calls_of_report talk_?.vfd
    # In each of ten rounds a ring of all and one of each half, on each rank three blocking collective calls and one that is not;
    # and then, between the halves, two collective calls and one message.
    expect_records "128 MpiCollectiveBegin
128 MpiCollectiveEnd
80 MpiIrecv
80 MpiIrecvRequest
80 MpiIsend
80 MpiIsendComplete
1 MpiRecv
1 MpiSend
40 NonBlockingCollectiveComplete
40 NonBlockingCollectiveRequest"
    expect_otf2_print talk.otf2
    expect_same "$(grep -c '^LOCATION ' printed) $(grep -c '^LOCATION_GROUP ' printed)" "8 4" "threads and processes"
    # The root of a half is its second rank, and sends eight bytes to each of two.
    expect_same "$(grep -c '^MPI_COLLECTIVE_END .*BCAST.* Root: 1 (.*Sent: 16, Received: 8' printed)" 20 "broadcasts by roots"
    expect_same "$(grep -c 'ALLREDUCE, Communicator: "MPI_COMM_WORLD" .*Root: NONE, Sent: 32, Received: 32' printed)" 40 "reductions"
    # Of the intercommunicator: its groups are the ranks 3 and 1, and 2 and 0.
    expect_same "$(grep -c 'BCAST.*Sent: 8, Received: 0' printed)" 1 "the broadcast to the other side"
    expect_same "$(sed -n 's/^GROUP .*Type: COMM_GROUP.* 4 Members: \([0-9]\) .*, \([0-9]\) .*, \([0-9]\) .*, \([0-9]\) .*/\1\2\3\4/p' printed)" $'0123\n3120' "members"
    grep -q '^REGION .*"omp parallel.*Role: PARALLEL, Paradigm: "OpenMP"' printed || fail "no parallel region in: $(grep '^REGION.*omp' printed)"
    grep -q '^REGION .*"MPI_Allreduce".*Role: COLL_ALL2ALL, Paradigm: "MPI"' printed || fail "no MPI_Allreduce"
    otf2-print -C talk.otf2/traces.otf2 >clocks
    expect_at_least "$(grep -c '^CLOCK_OFFSET .*Offset: +0,' clocks)" 8 "offsets of clocks"
    # The members of the world keep their numbers where only some are exported.
    exported some.otf2 --ranks=1-2 talk_?.vfd
    expect_otf2_print some.otf2
    expect_same "$(grep '^LOCATION_GROUP ' printed | grep -c '(not exported)')" 2 "ranks that are not there"
    grep -q '^MPI_ISEND .*Receiver: 3 .*"MPI_COMM_WORLD"' printed || fail "no message to rank 3"
}

test_one_sided_transfers_are_there() {
    needs_mpi
    build_mpi window.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Win win;
    int rank;
    double mine[3] = {1, 2, 3}, got[3] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(mine, sizeof mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Get(got, 3, MPI_DOUBLE, 0, 0, 3, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(got, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
END
    timelines
    ranks_patiently 2 ./window
    expect_status 0
    exported window.otf2 window_?.vfd
    read_by_python window.otf2
    # Each rank makes one window and frees it.
    expect_records $'1 RmaGet\n2 RmaOpCompleteBlocking\n1 RmaPut\n2 RmaWinCreate\n2 RmaWinDestroy'
    expect_otf2_print window.otf2
    expect_same "$(sed -n 's/^\(RMA_WIN_[A-Z]*\|RMA_GET\|RMA_PUT\)  *\([01]\) .*/\2 \1/p; s/^LEAVE  *\([01]\) .*"MPI_Win_\(create\|free\)".*/\1 \2/p' printed | LC_ALL=C sort -s -k1,1 | tr '\n' ';')" \
        "0 RMA_WIN_CREATE;0 create;0 RMA_PUT;0 RMA_WIN_DESTROY;0 free;1 RMA_WIN_CREATE;1 create;1 RMA_GET;1 RMA_WIN_DESTROY;1 free;" "the window"
    grep -q '^RMA_WIN .*"all MPI windows".*"MPI_COMM_WORLD"' printed || fail "no window in: $(grep ^RMA_WIN printed)"
    grep -q '^RMA_GET  *1 .*Remote: 0 .*Bytes: 24' printed || fail "no get in: $(grep RMA printed)"
    grep -q '^RMA_PUT  *0 .*Remote: 1 .*Bytes: 8,' printed || fail "no put in: $(grep RMA printed)"
}

run_tests
