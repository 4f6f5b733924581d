# SPDX-License-Identifier: BSD-3-Clause
# What matters: the findings of programs with planted problems, and of the same programs without them (MPI: mpi/findings.sh).
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/time_shares.sh"
. "$srcdir/test/system/lib_findings.sh"

# A list that is searched from its begin for each insertion, and one that is not.
build_searching() {
    build searching.c <<'END'
#include <stdlib.h>
static struct node { int key; struct node *next; } *first;
__attribute__((noinline)) static void insert(int key)
{
    struct node *new = malloc(sizeof *new), **at = &first;
    while (*at && (*at)->key < key) at = &(*at)->next;
    *new = (struct node){key, *at};
    *at = new;
}
__attribute__((noinline)) static unsigned mix(int rounds)
{
    unsigned x = 1;
    for (int i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
    return x;
}
int main(int argc, char **argv)
{
    int quadratic = argc > 1 && atoi(argv[1]);
    for (int i = 0; i < 6000; i++) insert(quadratic ? i : 6000 - i);
    return mix(20000000) == 0;
}
END
}
# Issue: the functions with most exclusive time
test_hot_functions() {
    config
    build_searching
    run_well ./searching 1
    expect_finding searching_all.log 'Hot function' 'insert takes [0-9.]* [mµn]*s by itself, in 6000 calls, below main$'
    run_well ./searching 0
    expect_finding searching_all.log 'Hot function' 'mix takes'
    expect_no_finding searching_all.log 'Hot function' 'insert takes'
}

# Issue: functions whose hooks cost too much (with the filter)
test_costly_hooks() {
    config
    build tiny.c <<END
$burn
static int x;
__attribute__((noinline)) static int get(void) { return x; }
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < (argc > 1 ? 10 : 3000000); i++) sum += get();
    burn(argc > 1 ? 0.1 : 0.001);
    return sum != 0;
}
END
    run_well ./tiny
    expect_finding tiny_all.log 'Costly hooks' 'recording get costs .* in 3.0 million calls, .*vftr filter suggest'
    # Issue: Where hooks took more than a third of the CPU time … the log opens with one line
    expect_finding tiny_all.log 'Hooks' 'hooks took .* CPU time(, which is known to [^:]*)?: this is not a profile of the program as it is without them; build it with vftr cc or fc .*'
    expect_at_least "$(sed -n '/^What matters/{n;p;q}' tiny_all.log | grep -c '%  Hooks:')" 1 "the first finding is that of the hooks"
    ! grep -q '^Note: .*hooks' tiny_all.log || fail "and it is said once more: $(grep '^Note: ' tiny_all.log)"
    run_well ./tiny few
    expect_no_finding tiny_all.log 'Costly hooks' ''
    expect_no_finding tiny_all.log 'Hooks' ''
}

# Issue: serial parts of OpenMP programs
test_serial_parts_of_openmp() {
    case $("$cc" --version) in *clang*) skip "the OpenMP of clang is another package" ;; esac
    config
    build serial.c -fopenmp <<END
$burn
__attribute__((noinline)) static void setup(double seconds) { burn(seconds); }
__attribute__((noinline)) static void work(double seconds) { burn(seconds); }
int main(int argc, char **argv)
{
    int serial = argc > 1;
    #pragma omp parallel num_threads(2)
    work(0.001);
    setup(serial ? 0.3 : 0.002);
    #pragma omp parallel num_threads(2)
    work(serial ? 0.002 : 0.5);
    return 0;
}
END
    OMP_WAIT_POLICY=passive run_well ./serial part
    expect_finding serial_all.log 'Serial part' 'have nothing to do for .* where most time is in .*(setup|burn)'
    OMP_WAIT_POLICY=passive run_well ./serial
    expect_no_finding serial_all.log 'Serial part' ''
}

# Issue: parallel regions in which threads wait for one
test_uneven_regions_of_openmp() {
    case $("$cc" --version) in *clang*) skip "the OpenMP of clang is another package" ;; esac
    config
    build uneven.c -fopenmp <<END
$burn
#include <omp.h>
int main(int argc, char **argv)
{
    #pragma omp parallel num_threads(2)
    burn(omp_get_thread_num() == 1 || argc > 1 ? 0.2 : 0.01);
    return 0;
}
END
    OMP_WAIT_POLICY=passive run_well ./uneven
    expect_finding uneven_all.log 'OpenMP waiting' 'in the region omp parallel .*; the busiest works [0-9]* % more'
}

# Issue: no finding is shown that the data does not carry
test_time_asleep() {
    config
    build asleep.c <<END
$burn
int main(int argc, char **argv)
{
    (void)argv;
    burn(argc > 1 ? 0.1 : 0.5);
    struct timespec half = {0, 500000000};
    if (argc > 1) nanosleep(&half, 0);
    return 0;
}
END
    run_well ./asleep yes
    expect_finding asleep_all.log Blocked 'threads are blocked for'
    run_well ./asleep
    expect_no_finding asleep_all.log Blocked ''
}

# Issue: the same findings are the first section of the text log (findings.show, default on)
test_they_can_be_switched_off() {
    config '"findings": {"show": false}'
    build_searching
    run_well ./searching 1
    ! grep -q '^What matters' searching_all.log || fail "they are there: $(head -20 searching_all.log)"
    config
    report searching_all.vfd
    expect_finding report 'Hot function' 'insert takes'
}

run_tests
