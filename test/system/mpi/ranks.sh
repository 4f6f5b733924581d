# SPDX-License-Identifier: BSD-3-Clause
# The ranks' profiles become one: ranks that differ, that have threads, that are off, that were spawned.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

test_ranks_with_different_call_trees_are_merged() {
    build_mpi differ.c <<'END'
#include <mpi.h>
void everywhere(void) {}
void even(void) { everywhere(); }
void odd(void) { everywhere(); everywhere(); }
void last(void) { even(); }
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank % 2 == 0) even(); else odd();
    if (rank == size - 1) last();
    MPI_Finalize();
    return 0;
}
END
    config
    for size in 1 2 3 5; do
        ranks_well $size ./differ
        local odd=$((size / 2))
        expect_calls differ_all.log main $size
        expect_calls differ_all.log odd $odd
        expect_calls differ_all.log even $((size - odd + 1))
        expect_calls differ_all.log everywhere $((size - odd + 1 + 2 * odd))
        expect_calls differ_all.log MPI_Init $size
        expect_calls differ_all.log MPI_Finalize $size
        expect_stack differ_all.log 'everywhere<even<last<main<init'
        grep -qE "Nr. of MPI ranks: +$size\$" differ_all.log || fail "not $size ranks: $(grep ranks differ_all.log)"
        rm differ_all.log
    done
}

# Issue: rank logs say that there is one MPI rank in a job of 3, and show minima over "all ranks" of one.
test_the_log_of_a_rank_says_of_how_many_it_is() {
    build_mpi three.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
END
    config
    echo '{"logfile_for_ranks": "all", "profile_table": {"show_minmax_summary": true}}' >config.json
    ranks_well 3 ./three
    for rank in 0 1 2; do
        grep -qE '^Nr. of MPI ranks: +3$' three_$rank.log || fail "rank $rank: $(grep 'MPI ranks' three_$rank.log)"
        grep -qE "^Rank of this log: +$rank\$" three_$rank.log || fail "it does not say that it is of rank $rank"
        grep -q "Min/Max runtime of rank $rank alone" three_$rank.log || fail "minima of one rank: $(grep Min/Max three_$rank.log)"
    done
    grep -qE '^Nr. of MPI ranks: +3$' three_all.log || fail "all: $(grep 'MPI ranks' three_all.log)"
    ! grep -q '^Rank of this log' three_all.log || fail "the log of all is taken for that of one"
    grep -q 'Min/Max runtime across all ranks' three_all.log || fail "minima of all: $(grep Min/Max three_all.log)"
}

# stids_of LOG: "path id" of the list of call stacks.
stids_of() { sed -n '/^Global call stacks/,/onfiguration/s/^ *STID\([0-9][0-9]*\)  *\(.*\)/\2 \1/p' "$1" | sort; }
expect_stid() { stids_of "$1" | grep -qxF -- "$2" || fail "$1 does not have '$2': $(stids_of "$1")"; }

# Rank r has a path of its own, and after MPI_Finalize one more; paths that come first by name shift the numbers of the others.
differing_ranks() {
    build_mpi ids.c <<'END'
#include <mpi.h>
#include <unistd.h>
void common(void) {}
void b_of_0(void) { common(); }
void a_of_1(void) { common(); }
void c_of_2(void) { common(); }
void a_after(void) { common(); }
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    common();
    if (rank == 0) b_of_0();
    if (rank == 1) a_of_1();
    if (rank == 2) c_of_2();
    if (argc > 1 && rank == 1) sleep(3);
    MPI_Finalize();
    if (rank != 1) a_after();
    return 0;
}
END
}

# Issue: STIDs of rank logs differ from those of `_all.log` (the contract says they are global)
test_a_call_path_has_the_same_stid_in_the_logs_of_all_ranks() {
    differing_ranks
    local rank mode
    # Over the star of few ranks, and over the tree, which timelines take.
    for mode in false true; do
        config '"logfile_for_ranks": "all", "sampling": {"active": '$mode'}'
        ranks_well 3 ./ids
        stids_of ids_all.log >all
        for rank in 0 1 2; do
            stids_of ids_$rank.log >of_rank
            [ -s of_rank ] || fail "no call stacks in ids_$rank.log"
            expect_same "$(comm -23 of_rank all)" "" "STIDs of rank $rank that _all.log does not have"
            ! grep -q "rank's own: they differ" ids_$rank.log || fail "rank $rank: $(grep Note ids_$rank.log)"
        done
        # Before and after: what rank 0 did after the collation comes behind, though it is first by name.
        expect_stid ids_all.log 'a_of_1<main<init 5'
        expect_stid ids_all.log 'a_after<main<init 12'
        expect_stid ids_0.log 'common<a_after<main<init 13'
        # Rank 2's own has a number that no path of all ranks has, and the log says so.
        expect_stid ids_2.log 'a_after<main<init 12'
        grep -q "^Note: STIDs from 12 on are this rank's own" ids_2.log || fail "rank 2: $(grep Note ids_2.log)"
        ! grep -q "this rank's own" ids_1.log || fail "rank 1: $(grep Note ids_1.log)"
        report ids_all.vfd
        expect_same "$(stids_of report)" "$(cat all)" "STIDs of the merged profile"
    done
    # Issue: vftr dump of single ranks prints STIDs of its own.
    for rank in 0 1 2; do
        "$vftr" dump --skip_samples --stids=ids_all.vfd ids_$rank.vfd >dump || fail "vftr dump"
        sed -n 's/^ *\([0-9][0-9]*\): \(.*\)$/\2 \1/p' dump | tr -d '*' | sort >of_rank
        stids_of ids_$rank.log >of_log
        [ -s of_rank ] && expect_same "$(comm -13 of_rank of_log)" "" "STIDs of the log of rank $rank that the dump does not have"
    done
    "$vftr" dump --skip_samples ids_2.vfd >dump
    grep -q '^ *5: a_after<main<init$' dump || fail "the dump alone: $(cat dump)"
    echo '{"profile_table": {"show_minmax_summary": true}}' >minmax.json
    # From the files of several ranks: of each the same numbers, those of the log where its merged profile is given.
    report ids_[012].vfd ids_all.vfd
    expect_same "$(stids_of report | comm -12 - all)" "$(cat all)" "STIDs from the ranks' files"
    ! grep -q '^Note: STIDs' report || fail "with the merged profile: $(grep Note report)"
    report ids_[012].vfd
    # Issue: these numbers differ from those of the log, and nothing said so.
    grep -q "^Note: STIDs are of these files: the job's own logs may have others" report || fail "no note on STIDs: $(grep Note report)"
    stids_of report >all
    for rank in 0 1 2; do
        report --rank $rank ids_[012].vfd
        expect_same "$(stids_of report | comm -23 - all)" "" "STIDs of rank $rank from the ranks' files"
        # Issue: the file of one rank was reported as if it were of all.
        report --config minmax.json ids_$rank.vfd
        grep -q "^ Summary: Min/Max runtime of rank $rank alone" report || fail "title: $(grep Summary report)"
        grep -q "^Note: this is rank $rank alone, of 3 ranks" report || fail "rank $rank: $(grep Note report)"
        grep -q "^Note: STIDs are this rank's own" report || fail "STIDs of rank $rank: $(grep Note report)"
        ! grep -q 'missing in this profile' report || fail "rank $rank: $(grep Note report)"
    done
}

test_a_rank_that_is_told_no_stids_says_so() {
    differing_ranks
    config '"logfile_for_ranks": "all", "mpi": {"collate_timeout": 1}'
    ranks 3 ./ids late
    expect_status 0
    local rank
    for rank in 1 2; do
        grep -q "^Note: STIDs are this rank's own: they differ from those of the job's other logs" ids_$rank.log ||
            fail "rank $rank: $(grep Note ids_$rank.log)"
    done
    ! grep -q "STIDs are this rank's own" ids_0.log || fail "rank 0 numbers the paths itself: $(grep Note ids_0.log)"
}

test_a_function_that_one_rank_never_called_counts_as_0_there() {
    build_mpi seldom.c <<'END'
#include <mpi.h>
#include <unistd.h>
void seldom(void) { usleep(100000); }
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) seldom();
    MPI_Finalize();
    return 0;
}
END
    echo '{"profile_table": {"show_minmax_summary": true, "max_rows": 0}}' >config.json
    export VFTR_CONFIG=$PWD/config.json
    ranks_well 2 ./seldom
    # The largest is on rank 1, the smallest is 0 on rank 0, the average is half of the largest.
    awk -F'|' '/Min\/Max/ { on = 1 } on && $3 ~ /^ *seldom *$/ { print ($4 >= 0.1), $5 + 0, ($6 == 0), $7 + 0, ($8 >= 0.05 && $8 < 0.6 * $4) }' \
        seldom_all.log >row
    expect_same "$(cat row)" "1 1 1 0 1" "the row of seldom"
}

test_static_functions_of_one_name_become_a_row_each_without_a_crash() {
    cat >twin.c <<'END'
static void twin(void) {}
void other_twin(void) { twin(); }
END
    build_mpi twins.c "$PWD/twin.c" <<'END'
#include <mpi.h>
void other_twin(void);
static void twin(void) {}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    twin();
    other_twin();
    twin();
    MPI_Finalize();
    return 0;
}
END
    config
    ranks_well 3 ./twins
    expect_calls twins_all.log "twin (twins.c)" 6
    expect_calls twins_all.log "twin (twin.c)" 3
}

# Issue: two files with a static function init each were one row. Rank 0 calls one of them, rank 1 the other.
test_functions_of_one_name_that_each_rank_has_one_of() {
    config
    for name in a b; do
        printf 'static int init(int n) { return n + 1; }\nint from_%s(int n)\n{\n    for (int i = 0; i < n; i++)\n        init(i);\n    return n;\n}\n' $name >$name.c
    done
    build_mpi one_each.c a.c b.c <<'END'
#include <mpi.h>
int from_a(int), from_b(int);
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n = rank == 0 ? from_a(3) : from_b(7);
    MPI_Finalize();
    return n == 0;
}
END
    ranks 2 ./one_each
    expect_status 0
    expect_calls one_each_all.log "init (a.c)" 3
    expect_calls one_each_all.log "init (b.c)" 7
    expect_stack one_each_all.log "init (a.c)<from_a<main<init"
    expect_stack one_each_all.log "init (b.c)<from_b<main<init"
}

test_init_thread_provides_what_mpi_provides() {
    for linkage in none shared; do
        build_mpi levels.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int provided = -7, result = MPI_Init_thread(&argc, &argv, atoi(argv[1]), &provided), queried;
    MPI_Query_thread(&queried);
    printf("%d %d %d\n", result, provided, queried);
    return MPI_Finalize();
}
END
        for level in 0 1 2 3; do
            ranks_well 1 ./levels $level
            cat out
        done >levels.$linkage
    done
    expect_same "$(cat levels.shared)" "$(cat levels.none)" "what MPI_Init_thread provides"
}

test_threads_that_send_at_the_same_time_are_counted_exactly() {
    build_mpi threads.c <<'END'
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
static int other;
static void *talk(void *arg)
{
    int in, out = 5, tag = (int)(intptr_t)arg;
    for (int i = 0; i < 1000; ++i)
        MPI_Sendrecv(&out, 1, MPI_INT, other, tag, &in, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
int main(int argc, char **argv)
{
    int provided, rank;
    pthread_t threads[3];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    if (provided == MPI_THREAD_MULTIPLE) {
        for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, talk, (void *)(intptr_t)i);
        for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
    }
    MPI_Finalize();
    return provided != MPI_THREAD_MULTIPLE;
}
END
    config
    ranks 2 ./threads
    [ $status = 0 ] || skip "this MPI has no MPI_THREAD_MULTIPLE"
    expect_calls threads_all.log MPI_Sendrecv 6000
    expect_calls threads_all.log talk 6
}

test_a_program_that_is_linked_with_mpi_and_never_calls_it() {
    build_mpi idle.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
void work(void) {}
int main(int argc, char **argv)
{
    work();
    if (argc > 5) MPI_Init(&argc, &argv);
    puts("idle");
    if (argc > 1) return sleep(1);
    return 4;
}
END
    config
    run ./idle
    expect_status 4
    expect_silence
    expect_same "$(cat out)" idle "output"
    expect_calls idle_all.log work 1
    rm -f idle_*
    # Two of them at the same time, which do not know of each other.
    ranks_well 2 ./idle in_a_job
    expect_same "$(sort -u out)" idle "output"
    for log in idle_*all.log; do expect_calls "$log" work 1; done
    expect_same "$(ls idle_*all.log | wc -l)" 2 "logs"
}

# An error handler that jumps out leaves the MPI function on the stack; the calls after it are the program's own.
test_calls_after_a_jump_out_of_an_error_handler_are_counted() {
    build_mpi jump.c <<'END'
#include <mpi.h>
#include <setjmp.h>
static jmp_buf back;
static void broadcast(void) { MPI_Bcast(0, -1, MPI_INT, 0, MPI_COMM_SELF); }
static void inner(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void deeper(void) { inner(); }
static void jump(MPI_Comm *comm, int *error, ...) { (void)comm; (void)error; longjmp(back, 1); }
int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(jump, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    for (volatile int i = 0; i < 3; ++i)
        if (!setjmp(back)) broadcast();
    deeper();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
    config
    ranks_well 2 ./jump
    expect_calls jump_all.log MPI_Bcast 6
    expect_calls jump_all.log MPI_Barrier 4
    expect_stack jump_all.log 'MPI_Barrier<main<init'
    expect_stack jump_all.log 'MPI_Barrier<inner<deeper<main<init'
}

some_ranks() {
    build_mpi some.c <<'END'
#include <mpi.h>
#include <stdio.h>
int work(int x) { return x + 1; }
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rank = work(rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
END
}
output_of_program() { without_ucx_warnings out | sort -u; }

test_a_job_of_which_only_some_ranks_are_recorded_ends() {
    some_ranks
    config '"mpi": {"collate_timeout": 2}'
    # shellcheck disable=SC2016
    ranks 3 sh -c '[ ${OMPI_COMM_WORLD_RANK-$PMI_RANK} != 2 ] || export VFTR_OFF=1; exec ./some'
    expect_status 0
    expect_same "$(output_of_program)" 6 "output"
    expect_file some_all.log
    expect_calls some_all.log work 2
    expect_said_once 'lacks rank 2,'
    grep -q '^Note: rank 2 is missing in this profile' some_all.log || fail "no note: $(grep Note some_all.log)"
    # Nothing is lost: the ranks that did record keep their files.
    report some_0.vfd some_1.vfd
    grep -qE '\| +2 \|.*\| +work \|' report || fail "the kept files do not have two calls of work: $(cat report)"
    expect_no_file some_2.vfd

    rm -f some_*
    linkage=none
    some_ranks
    linkage=shared
    # shellcheck disable=SC2016
    ranks 3 sh -c "[ \${OMPI_COMM_WORLD_RANK-\$PMI_RANK} = 2 ] || export LD_PRELOAD=$builddir/libvftrace.so; exec ./some"
    expect_status 0
    expect_same "$(output_of_program)" 6 "output"
}

test_a_clean_end_leaves_no_rank_files() {
    some_ranks
    config
    ranks_well 3 ./some
    expect_same "$(echo some_*)" "some_all.log some_all.vfd" "files of the run"
}

# They have ranks of their own, and their files do not replace those of the ranks that spawned them.
test_spawned_programs_have_results_of_their_own() {
    ! mpi_library_is_mpich || skip "Debian's MPICH has no process manager that could spawn"
    build_mpi spawn.c <<'END'
#include <mpi.h>
#include <stdio.h>
void child_work(void) {}
void parent_work(void) {}
int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        parent_work();
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        MPI_Barrier(children);
        MPI_Comm_disconnect(&children);
        parent_work();
    } else {
        child_work();
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
    }
    return MPI_Finalize();
}
END
    config '"sampling": {"active": true, "sample_interval": 0}'
    ranks_well 2 ./spawn
    expect_same "$(ls spawn_*.vfd | wc -l)" 6 "recordings (2 + 2 ranks, 2 merged)"
    expect_calls spawn_all.log parent_work 4
    expect_calls spawn_all.log child_work 0
    expect_calls "$(ls spawn_[0-9]*_all.log)" child_work 2
}

test_nothing_is_left_of_a_job_that_is_off() {
    some_ranks
    VFTR_OFF=1 ranks_well 2 ./some
    rm -f some some.c out out.? err build.err
    expect_same "$(ls)" "" "files"
}

# Issue: of ranks that load different plugins, functions of one name are one row.
test_ranks_with_different_plugins_agree_on_rows() {
    local name calls rank
    for name in a:3 b:7; do
        calls=${name#*:} name=${name%:*}
        cat >plugin.c <<END
static int init(int n) { return n + $calls; }
int plugin_run(int n)
{
    for (int i = 0; i < $calls; i++)
        n = init(n);
    return n;
}
END
        $cc -g -O0 -finstrument-functions -shared -fPIC -Wl,--build-id plugin.c -o lib$name.so || fail "cannot build lib$name.so"
    done
    # Each rank has its own copy of what all have.
    for rank in 0 1 2; do mkdir of_$rank && cp liba.so of_$rank/liba.so; done
    build_mpi plugins.c -ldl <<'END'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
static int init(int n) { return n; }
static int call(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*run)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_run") : 0;
    return run ? run(1) : -1;
}
int main(int argc, char **argv)
{
    int rank, good = 1;
    char own[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(own, sizeof own, "of_%d/liba.so", rank);
    if (rank != 0)
        good &= call("./libb.so") > init(0);
    if (rank != 1)
        good &= call(own) > 0;
    MPI_Finalize();
    return !good;
}
END
    config '"logfile_for_ranks": "all", "sampling": {"active": true}'
    ranks_well 3 ./plugins
    report plugins_[0-2].vfd
    for log in plugins_all.log report; do
        expect_calls $log "init (liba.so)" 6
        expect_calls $log "init (libb.so)" 14
        expect_calls $log "plugin_run (liba.so)" 2
        expect_calls $log "init (plugins)" 2
        expect_calls $log init 3 # the roots
        expect_stack $log "init (libb.so)<plugin_run (libb.so)<call<main<init"
    done
    # A path has one number everywhere; a rank without the other plugin need not say which one it has.
    local ids
    ids() { sed -n '/^Global call stacks/,/onfiguration/s/^ *\(STID[0-9]*\)  */\1 /p' "$1" | sed 's/ (lib[ab]\.so)//g' | sort; }
    for rank in 0 1 2; do
        ids=$(ids plugins_$rank.log | grep -c plugin_run)
        expect_same "$ids" $((rank == 2 ? 4 : 2)) "paths of plugins in the log of rank $rank"
        expect_same "$(ids plugins_$rank.log | grep -vxF -f <(ids plugins_all.log))" "" "paths of rank $rank that the log of all numbers otherwise"
    done
    expect_calls plugins_0.log plugin_run 1
    expect_calls plugins_1.log plugin_run 1
    expect_same "$(ids plugins_0.log | grep plugin_run)" "$(ids plugins_2.log | grep plugin_run | grep -xF -f <(ids plugins_0.log))" "numbers of liba.so's paths"
    ! ids plugins_0.log | grep plugin_run | grep -qxF -f <(ids plugins_1.log) || fail "two plugins have a number in common"
}

run_tests
