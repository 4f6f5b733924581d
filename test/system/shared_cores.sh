# SPDX-License-Identifier: BSD-3-Clause
# Cores that are shared with other work: the time in which the program had none is told, and is in no function's time.
. "${srcdir:-.}/test/system/lib.sh"

. "$srcdir/test/system/busy_core.sh"

# run_shared OTHERS PROGRAM ARGUMENT…: on one core with so many loops that never give it away.
run_shared() {
    local others=$1
    shift
    status=0
    beside_loops "$others" taskset -c "$core" "$@" >out 2>err || status=$?
    [ "$status" = 0 ] || fail "$* ended with $status: $(cat err)"
}

# Issue: show CPU time beside wall time (head of the log: wall, CPU, waiting for a core; per thread); when cores are shared, say so in one line
test_the_head_tells_how_long_the_program_had_no_core() {
    check() {
        build shares -O1
        run_shared 3 ./shares
        local log=shares_all.log total waiting cpu application overhead
        total=$(head_value "Total runtime" $log) waiting=$(head_value "Waiting for a core" $log) cpu=$(head_value "CPU time" $log)
        application=$(head_value "Application time" $log) overhead=$(head_value Overhead $log)
        awk -v t="$total" -v w="$waiting" -v c="$cpu" -v a="$application" -v o="$overhead" 'BEGIN {
            apart = a + o + w - t; most = 0.02 + 0.03 * t # four figures are rounded to a hundredth
            exit !(w > 0.4 * t && w < t && c > 0 && c + w > 0.9 * t && c + w < 1.1 * t && apart < most && -apart < most) }' ||
            fail "beside three loops on one core: total $total, waiting $waiting, CPU $cpu, application $application, overhead $overhead"
        grep -q "^Note: cores were shared: of $total s the program waited $waiting s for one" $log || fail "the log does not say that cores were shared: $(grep Note $log)"
    }
    with_each_compiler check
}

# Issue: hooks cost CPU time, and it is subtracted from wall time; compensate within the time that the thread ran
test_the_application_time_is_that_of_a_run_on_a_core_of_its_own() {
    build shares -O1
    local alone busy
    run_shared 0 ./shares
    alone=$(head_value "Application time" shares_all.log)
    run_shared 3 ./shares
    busy=$(head_value "Application time" shares_all.log)
    awk -v a="$alone" -v b="$busy" 'BEGIN { exit !(b > 0.6 * a && b < 1.6 * a) }' || fail "application time is $alone s alone and $busy s beside three loops"
}

# Issue: adaptive timing on shared cores moves time of short callees to their callers
test_shares_of_functions_do_not_depend_on_what_else_runs() {
    local timing others far
    build shares -O1
    for timing in adaptive exact; do
        config "\"timing\": \"$timing\""
        for others in 0 3; do
            run_shared $others ./shares
            awk -F'|' '/^Runtime profile$/ { on = 1 } /^Global/ { on = 0 } on && $2 + 0 > 0 { gsub(/ /, "", $6); print $6, $4 + 0 }' shares_all.log | sort >shares.$others
        done
        far=$(join shares.0 shares.3 | awk '{ d = $2 - $3; if (d < 0) d = -d; if (d > 10) print $1 ": " $2 " % alone, " $3 " % beside others" }')
        [ "$(wc -l <shares.0)" -ge 6 ] || fail "rows are missing: $(cat shares.0)"
        [ -z "$far" ] || fail "with $timing timing: $far"
    done
}

# Issue: show CPU time beside wall time per thread
test_each_thread_tells_its_cpu_time_and_how_long_it_had_no_core() {
    cat >pair.c <<'END'
#include <pthread.h>
static volatile unsigned sink;
unsigned work(unsigned x) { for (int i = 0; i < 3000000; i++) x = x * 1664525u + 1013904223u; return x; }
void *start(void *p) { for (int i = 0; i < 20; i++) sink += work(i); return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, start, 0);
    pthread_create(&b, 0, start, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    build pair -pthread
    run_shared 0 ./pair
    awk -F'|' '/^\| Thread/ { for (i = 1; i <= NF; i++) { t = $i; gsub(/^ *| *$/, "", t); at[t] = i } }
        at["CPU[s]"] && /^\|.* start / { n++; cpu += $at["CPU[s]"]; none += $at["No core[s]"]; life += $at["Life[s]"] }
        END { exit !(n == 2 && cpu > 0 && none > 0.3 * life && cpu + none > 0.9 * life && cpu + none < 1.1 * life) }' pair_all.log ||
        fail "two threads on one core do not share it: $(sed -n '/^Threads/,/^$/p' pair_all.log)"
}

# Issue: the time in which a thread had no core is in no function's; nor is it in the waits of a parallel region, which cannot be more than its threads have of it.
test_waits_of_a_parallel_region_are_not_longer_than_its_threads_have_of_it() {
    case $("$cc" --version) in *clang*) skip "the compiler's OpenMP is another one" ;; esac
    cat >team.c <<'END'
static volatile unsigned sink;
static unsigned work(unsigned x) { for (int i = 0; i < 3000000; i++) x = x * 1664525u + 1013904223u; return x; }
int main(void)
{
    for (int i = 0; i < 40; i++) {
#pragma omp parallel num_threads(2)
        sink += work(i);
    }
    return 0;
}
END
    build team -fopenmp
    run_shared 3 env OMP_WAIT_POLICY=passive ./team
    awk -F'|' '/^OpenMP regions/ { on = 1 } /^$/ { on = 0 } on && $2 + 0 == 40 { n++; bad = $5 > 2 * $4 + 0.01 } END { exit n != 1 || bad }' team_all.log ||
        fail "waits are longer than the region times its threads: $(sed -n '/^OpenMP regions/,/^$/p' team_all.log)"
}

# Issue: on a busy machine one-time work was wall time: 0.54 s of a program that took 0.12 s of CPU time
test_one_time_work_is_not_what_it_waits_for_a_core() {
    {
        echo 'static volatile double sum;'
        for ((i = 0; i < 3000; i++)); do echo "__attribute__((noinline)) void step_$i(int n) { sum += n * $i; }"; done
        echo 'int main(void) {'
        for ((i = 0; i < 3000; i++)); do echo "step_$i($i);"; done
        echo 'return 0; }'
    } >once.c
    build once
    local once waiting total
    run_shared 4 ./once
    once=$(head_value "One-time work" once_all.log) waiting=$(head_value "Waiting for a core" once_all.log) total=$(head_value "Total runtime" once_all.log)
    awk -v o="${once:-0}" -v w="$waiting" -v t="$total" 'BEGIN { exit !(o < 0.6 * t && w > 0.4 * t) }' ||
        fail "one-time work $once s and $waiting s of waiting for a core, of $total s beside four loops"
}

run_tests
