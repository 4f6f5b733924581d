# SPDX-License-Identifier: BSD-3-Clause
# Profiles for pprof, as go tool pprof reads them.
. "${srcdir:-.}/test/system/export/lib_export.sh"

has PROTOZERO && has ZLIB || { echo "skip: built without protozero or zlib" && exit 77; }
find_go
[ -n "$go" ] || { echo "skip: no go, whose tool pprof reads these files" && exit 77; }

# pprof OPTION… FILE: what it prints. Nothing is dropped.
pprof() { HOME=$PWD GOFLAGS='' "$go" tool pprof -nodecount=100000 -nodefraction=0 -edgefraction=0 -unit=ns "$@" 2>pprof.err || fail "go tool pprof $*: $(cat pprof.err)"; }

# build_id FILE: in hexadecimal digits, as pprof shows it; nothing where a compiler makes none.
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }

# flat SAMPLE-TYPE OPTION… FILE: lines "value<TAB>function", sorted by function.
flat() {
    local type=$1
    shift
    pprof -top -sample_index="$type" "$@" |
        awk '/flat%/ { on = 1; next } on { value = $1; sub(/ns$/, "", value); for (i = 0; i < 5; i++) sub(/^ *[^ ]+ +/, ""); if (value != 0) print value "\t" $0 }' | LC_ALL=C sort -t$'\t' -k2
}

# in_csv COLUMN FILE: the same from comma-separated values: column 2 of what is behind the name are nanoseconds, 1 the calls.
in_csv() {
    tr -d '\r' <"$2" | awk -v column="$1" 'NR > 1 {
        rest = $0
        for (i = 1; i <= 4; i++) sub(/^[^,]*,/, "", rest)
        if (rest ~ /^"/) { match(rest, /^"([^"]|"")*"/); name = substr(rest, 2, RLENGTH - 2); gsub(/""/, "\"", name); rest = substr(rest, RLENGTH + 2) }
        else { match(rest, /^[^,]*/); name = substr(rest, 1, RLENGTH); rest = substr(rest, RLENGTH + 2) }
        split(rest, field, ",")
        sum[name] += field[column] }
        END { for (name in sum) if (sum[name] != 0) printf "%.0f\t%s\n", sum[name], name }' | LC_ALL=C sort -t$'\t' -k2
}

# expect_same_functions RECORDING PPROF-FILE LOG: calls are those of the log, times those of the profile.
expect_same_functions() {
    flat calls "$2" >seen
    grouped_counts "$3" | awk -F'\t' '{ n[$2] += $1 } END { for (f in n) if (n[f] != 0) print n[f] "\t" f }' | LC_ALL=C sort -t$'\t' -k2 >expected
    expect_at_least "$(wc -l <expected)" 3 "functions of $3"
    diff expected seen >differences || fail "calls of the log (<) and in pprof (>): $(head -6 differences)"
    export_as csv -o csv "$1"
    flat time "$2" >seen
    in_csv 2 csv >expected
    diff expected seen >differences || fail "times of the profile (<) and in pprof (>): $(head -6 differences)"
}

test_pprof_shows_the_calls_and_times_of_the_report() {
    build prog.cpp <<'END'
#include <map>
#include <string>
#define N __attribute__((noinline))
template <class T, char c> struct Box { N int operator()(const std::map<std::string, T> &) const { return c; } };
N int deep(int n) { volatile int x = n; return n == 0 ? 0 : deep(n - 1) + x - x; }
N int over(int n) { return n; }
N int over(double d) { return d > 1; }
N int operator<<=(Box<int, ';'>, int n) { return n; }
namespace räume { N int größe(int n) { return n; } }
extern "C" N int plain(int n) { return n; }
int main()
{
    int s = deep(3000);
    for (int i = 0; i < 1000; i++)
        s += over(i) + over(1.5) + over(2.5) + Box<int, ';'>()({}) + Box<int, '"'>()({}) + (Box<int, ';'>() <<= i) + räume::größe(i) + plain(i);
    return s == 0;
}
END
    config '"include_cxx_prelude": true, "max_recursion": 5000'
    run_well ./prog
    export_as pprof -o prog.pb.gz prog_all.vfd
    expect_same_functions prog_all.vfd prog.pb.gz prog_all.log
    pprof -raw prog.pb.gz >raw
    grep -qE '^ +1000 +[0-9]+: [0-9]+ 2 1 ?$' raw || fail "no sample leaf first below main and init: $(grep -m1 -A5 ^Samples: raw)"
    grep -qxE 'Time: 2[0-9-]+ [0-9:.]+ \+0000 UTC' raw || fail "no time: $(head -8 raw)"
    grep -qE '^Duration: [0-9.]*[1-9]' raw || fail "no duration: $(head -8 raw)"
    grep -qxE "1: 0x0/0x0/0x0 prog $(build_id prog) \[FN\]" raw || fail "no mapping of the program: $(sed -n '/^Mappings/,$p' raw)"
    pprof -top prog.pb.gz >top
    grep -qx 'Type: time' top || fail "time is not the default: $(head -8 top)"
}

test_functions_of_a_library_have_its_module() {
    cat >lib.c <<'END'
static int init(int n) { return n + 1; }
int plugin_run(int n) { return init(n); }
END
    $cc -g -finstrument-functions -shared -fPIC -Wl,--build-id lib.c -o libplugin.so || fail "cannot build"
    build prog.c -L. -lplugin -Wl,-rpath,"$PWD" <<'END'
int plugin_run(int n);
static int init(int n) { return plugin_run(n); }
int main(void) { return init(0) != 1; }
END
    config '"sampling": {"active": true}'
    run_well ./prog
    export_as pprof -o recording.pb.gz prog_0.vfd
    pprof -raw recording.pb.gz >raw
    grep -qxE "[0-9]+: 0x0/0x0/0x0 libplugin.so $(build_id libplugin.so) \[FN\]" raw || fail "no build-id of the library: $(sed -n '/^Mappings/,$p' raw)"
    export_as pprof -o prog.pb.gz prog_all.vfd
    expect_same_functions prog_all.vfd prog.pb.gz prog_all.log
    pprof -raw prog.pb.gz >raw
    library=$(sed -n 's|^\([0-9]*\): .* libplugin.so  .*|\1|p' raw)
    [ -n "$library" ] || fail "no mapping of the library: $(sed -n '/^Mappings/,$p' raw)"
    grep -qE "^ +[0-9]+: 0x0 M=$library plugin_run " raw || fail "plugin_run is not of the library: $(sed -n '/^Locations/,$p' raw)"
    grep -qE "^ +[0-9]+: 0x0 M=$library init \(libplugin.so\) " raw || fail "its init is not of the library: $(sed -n '/^Locations/,$p' raw)"
    grep -qE "^ +[0-9]+: 0x0 M=1 main " raw || fail "main is not of the program: $(sed -n '/^Locations/,$p' raw)"
}

test_ranks_are_labels() {
    needs_mpi
    local rank
    build_mpi ranks.c <<'END'
#include <mpi.h>
static int leaf(int n) { return n; }
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i <= rank; i++)
        leaf(1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
    config '"sampling": {"active": true}'
    ranks_well 2 ./ranks
    expect_file ranks_1.vfd
    export_as pprof -o all.pb.gz ranks_0.vfd ranks_1.vfd
    flat calls all.pb.gz >seen
    grep -qx $'3\tleaf' seen || fail "all ranks together: $(cat seen)"
    export_as pprof --each-rank -o each.pb.gz ranks_0.vfd ranks_1.vfd
    for rank in 0 1; do
        flat calls -tagfocus="rank=^$rank\$" each.pb.gz >seen
        "$vftr" report --config config.json --rank $rank ranks_0.vfd ranks_1.vfd >report || fail "vftr report"
        grouped_counts report | awk -F'\t' '$1 != 0 { print $1 "\t" $2 }' | LC_ALL=C sort -t$'\t' -k2 | diff - seen >differences ||
            fail "calls of rank $rank in the log (<) and in pprof (>): $(head -6 differences)"
        grep -qx "$((rank + 1))"$'\tleaf' seen || fail "leaf of rank $rank: $(cat seen)"
    done
}

# Issue: labels rank, thread, host
test_threads_are_labels() {
    build threads.c -pthread <<'END'
#include <pthread.h>
static int leaf(int n) { return n; }
static void *worker(void *n) { for (int i = 0; i < 4; i++) leaf(i); return n; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return leaf(0);
}
END
    config '"sampling": {"active": true}'
    run_well ./threads
    export_as pprof --each-thread -o each.pb.gz threads_0.vfd
    flat calls -tagfocus='thread=^1$' each.pb.gz >seen
    grep -qx $'4\tleaf' seen || fail "leaf of thread 1: $(cat seen)"
    flat calls -tagfocus="host=^$(uname -n)\$" each.pb.gz >seen
    grep -qx $'5\tleaf' seen || fail "leaf of all threads on this host: $(cat seen)"
}

test_a_killed_program_and_its_remarks_are_there() {
    build prog.c <<'END'
#include <stdio.h>
#include <unistd.h>
static void leaf(void) {}
static void waits(void)
{
    printf("%d\n", (int)getpid());
    fflush(stdout);
    for (;;)
        pause();
}
int main(void)
{
    for (int i = 0; i < 8; i++)
        leaf();
    waits();
}
END
    config
    begin ./prog
    kill -9 "$pid"
    wait $job 2>/dev/null
    exec 9>&-
    report prog_*.tmpvfd
    export_as pprof -o prog.pb.gz prog_*.tmpvfd
    expect_same_functions "$(echo prog_*.tmpvfd)" prog.pb.gz report
    grep -qx $'8\tleaf' <(flat calls prog.pb.gz) || fail "leaf: $(flat calls prog.pb.gz)"
    pprof -comments prog.pb.gz >comments
    grep -qx '1 recording was not closed.*' comments || fail "no remark: $(cat comments)"
}

run_tests
