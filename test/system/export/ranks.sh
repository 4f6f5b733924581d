# SPDX-License-Identifier: BSD-3-Clause
# A job of four ranks with messages, of which one is late: each rank has its own calls and times in all formats, and in the viewers that show ranks.
. "${srcdir:-.}/test/system/export/lib_export.sh"

needs_mpi
have python3 || { echo "skip: no python3" && exit 77; }
find_python_of_otf2

recorded_job() {
    if [ ! -e "$shared/job_all.vfd" ]; then
        build_mpi job.c <<'END'
#include <mpi.h>
#include <unistd.h>
static int rank, size;
static int relax(int n) { volatile int x = n; return x; }
static void exchange(int round)
{
    double out[64] = {0}, in[64];
    MPI_Request requests[2];
    MPI_Irecv(in, 64, MPI_DOUBLE, (rank + size - 1) % size, round, MPI_COMM_WORLD, requests);
    MPI_Isend(out, 64, MPI_DOUBLE, (rank + 1) % size, round, MPI_COMM_WORLD, requests + 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
static void step(int round)
{
    double residual = rank, all;
    for (int i = 0; i < 100 * (rank + 1); i++)
        relax(i);
    if (rank == 1)
        usleep(10000);
    exchange(round);
    MPI_Allreduce(&residual, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 5; round++)
        step(round);
    if (rank == 3)
        relax(0);
    MPI_Finalize();
    return 0;
}
END
        config '"sampling": {"active": true, "sample_interval": 0}'
        ranks_well 4 ./job
        mv job_* "$shared/"
    fi
    cp "$shared"/job_* .
}
# calls_of_ranks FORMAT: from `read`, lines of rank, calls and function.
calls_of_ranks() { awk -F'\t' -v format="$1" '$1 == format && $3 { print $2 "\t" $3 "\t" $5 }' read | LC_ALL=C sort; }

# Issue: In each: exclusive time and calls per function equal those of `vftr report` on the same files.
test_each_rank_has_its_calls_and_times_in_each_format() {
    recorded_job
    expect_functions_in_all_formats job_all.log job_?.vfd
    local format profiles=()
    # `read` has timelines by rank already; profiles are so where that is asked for.
    mv read of_timelines
    for format in $(formats_of_profiles); do
        export_as "$format" --each-rank -o "each.$format" job_?.vfd
        profiles+=("$format=each.$format")
    done
    read_functions "${profiles[@]}"
    for format in $(formats_of_profiles | grep -vx csv); do expect_same_times csv "$format"; done
    calls_of_ranks csv >expected
    expect_same "$(grep 'relax$' expected | tr '\t\n' ': ')" "rank 0:500:relax rank 1:1000:relax rank 2:1500:relax rank 3:2001:relax " "calls of relax"
    for format in json callgrind; do
        ! grep -q "^$format	" read || calls_of_ranks $format | diff expected - >differences || fail "calls in csv (<) and in $format (>): $(head -6 differences)"
    done
    mv of_timelines read
    for format in $(formats_of_timelines); do
        calls_of_ranks "$format" | diff expected - >differences || fail "calls of the ranks' profiles (<) and in $format (>): $(head -6 differences)"
    done
}

test_devtools_have_the_calls_of_each_rank() {
    have chromium || skip "no Chromium"
    needs RAPIDJSON
    recorded_job
    export_as chrome -o job.trace.json job_?.vfd
    python3 "$srcdir/test/system/export/devtools.py" job.trace.json >shown 2>err
    case $? in
    0) ;;
    77) skip "these DevTools have another model of traces" ;;
    *) fail "$(tail -3 err)" ;;
    esac
    export_as csv --each-rank -o each job_?.vfd
    read_functions csv=each
    calls_of_ranks csv >expected
    awk -F'\t' '$3 != "init" { print $1 "\t" $4 "\t" $3 }' shown | LC_ALL=C sort | diff expected - >differences || fail "calls of the ranks' profiles (<) and of DevTools (>): $(head -6 differences)"
}

# Issue: chrome … flows for messages
test_trace_events_have_a_flow_for_each_message() {
    needs RAPIDJSON
    recorded_job
    export_as chrome -o job.trace.json job_?.vfd
    python3 - >said 2>&1 <<'END' || fail "$(tail -3 said)"
import collections, json
events = json.load(open('job.trace.json'))['traceEvents']
begins = {event['id']: event for event in events if event['ph'] == 's'}
ends = {event['id']: event for event in events if event['ph'] == 'f'}
assert len(begins) == sum(event['ph'] == 's' for event in events) and begins.keys() == ends.keys(), (len(begins), len(ends))
pairs = collections.Counter((begins[id]['pid'], ends[id]['pid']) for id in begins)
ranks = sorted({pid for pair in pairs for pid in pair})
assert pairs == {(ranks[i], ranks[(i + 1) % 4]): 5 for i in range(4)}, pairs
for id in begins:
    assert begins[id]['ts'] <= ends[id]['ts'], (begins[id], ends[id])
END
}

run_tests
