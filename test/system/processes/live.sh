# SPDX-License-Identifier: BSD-3-Clause
# vftr ps and vftr top: programs that run, seen from outside.
. "${srcdir:-.}/test/system/lib.sh"

# lives HOW: calls `busy` again and again until it can read a byte from standard input, then ends as HOW says.
lives() {
    build lives.c <<'END'
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static volatile double sum;
static void busy(void)
{
    for (int i = 0; i < 1000; i++)
        sum += i;
}
static int asked(void)
{
    struct pollfd in = {0, POLLIN, 0};
    return poll(&in, 1, 1) > 0;
}
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    printf("%d\n", (int)getpid());
    fflush(stdout);
    while (!asked())
        for (int i = 0; i < 100; i++)
            busy();
    if (!strcmp(how, "die"))
        raise(SIGKILL);
    if (!strcmp(how, "leave"))
        _exit(7);
    if (!strcmp(how, "exec"))
        execl("/bin/true", "true", (char *)0);
    return 5;
}
END
}

test_ps_lists_what_is_being_recorded_and_nothing_else() {
    config
    lives
    begin ./lives leave
    end_it # leaves a recording that nobody writes
    begin ./lives 'two words'
    printf 'no vfd file' >text.vfd
    run "$vftr" ps
    expect_same "$(sed 1d out | awk '{ print $1, $3, $4, $5, $6 }' | sed 's/ [rsw][a-z]* / state /')" "$pid state lives 'two words'" "recordings"
    expect_status 1 # for text.vfd
    rm text.vfd
    mkdir elsewhere
    (cd elsewhere && run "$vftr" ps .. && expect_status 0 && cp out ../out)
    grep -q "^ *$pid .* lives 'two words'$" out || fail "not from elsewhere: $(cat out)"
    kill -STOP "$pid"
    until grep -q '^State:.*T' /proc/"$pid"/status; do sleep 0.01; done
    run "$vftr" ps .
    kill -CONT "$pid"
    grep -q ' stopped  lives' out || fail "not stopped: $(cat out)"
    end_it
    run "$vftr" ps .
    expect_same "$(sed 1d out)" "" "recordings after the end"
    expect_status 0
}

test_ps_knows_processes_that_went_on_without_a_word() {
    config '"processes": {"checkpoint": false, "follow": false}'
    lives
    build silent.c <<'END'
#include <stdio.h>
#include <unistd.h>
#include <sys/syscall.h>
int main(void)
{
    char *argv[] = {"sh", "-c", "echo $$; read line", 0};
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(SYS_execve), "D"("/bin/sh"), "S"(argv), "d"(0) : "rcx", "r11", "memory");
    return (int)result;
#else
    return execv("/bin/sh", argv);
#endif
}
END
    begin ./silent
    run "$vftr" ps
    expect_same "$(sed 1d out)" "" "recordings"
    end_it
}

test_a_process_in_a_container_lives_although_its_pid_says_nothing_here() {
    unshare -Urpf --mount-proc true 2>/dev/null || skip 'no process numbers of its own'
    [ "$(stat -f -c %T .)" != overlayfs ] || skip 'a file system that does not tell who writes'
    config
    lives
    begin unshare -Urpf --mount-proc ./lives
    expect_same "$pid" 1 "the pid in the container"
    run "$vftr" ps
    grep -q '^ *1 .* in a container  lives' out || fail "vftr ps: $(cat out)"
    "$vftr" report . | grep -q '^ *1 .* runs  *lives' || fail "vftr report: $("$vftr" report . | head -5)"
    run "$vftr" recover lives_1.tmpvfd
    expect_status 1
    grep -q 'still records' err || fail "vftr recover: $(cat err)"
    run "$vftr" top --count 2 --interval 0.1 lives_1.tmpvfd
    expect_same "$status $(grep -c '^process 1 (lives): ' out)" "0 2" "status of vftr top, and looks"
    end_it
    expect_status 5
    run "$vftr" ps
    expect_same "$(sed 1d out)" "" "recordings after the end"
}

# The columns of vftr top: calls, time and its share since the look before, the same in all, function.
test_top_shows_what_a_process_does_until_its_end() {
    config
    lives
    local how ends i
    for how in "stay:has ended with exit code 5" "leave:has ended by _exit with exit code 7" "die:was killed; its recording is in" \
        "exec:went on as another program (exec)"; do
        begin ./lives "${how%%:*}"
        : >top
        "$vftr" top --interval 0.1 "$pid" >top 2>err &
        local top=$!
        for ((i = 0; i < 3000; i++)); do # until it has seen busy at work twice
            [ "$(grep -c '^ *[1-9].* busy$' top)" -lt 2 ] && kill -0 $top 2>/dev/null || break
            sleep 0.01
        done
        end_it
        wait $top || fail "vftr top ends with $?: $(cat err)"
        expect_same "$(cat err)" "" "stderr"
        tail -1 top | grep -q "^process $pid (lives) ${how#*:}" || fail "${how%%:*}: the last line is $(tail -1 top)"
        awk '/ busy$/ { n++; good += $4 >= last + $1; moved += $1 > 0; last = $4 } END { exit !(good == n && moved > 1) }' top ||
            fail "calls of busy do not grow: $(grep 'busy$' top)"
        awk '/^process/ { on = 0 } on { wrong += $2 > time; time = $2 } $NF == "Function" { time = 1e9; on = 1 } END { exit wrong }' top ||
            fail "not in the order of time: $(cat top)"
    done
}

test_top_takes_a_file_too_and_looks_as_often_as_it_is_told() {
    config
    lives
    begin ./lives
    run "$vftr" top --count 3 --interval 0.1 --batch lives_"$pid".tmpvfd
    expect_status 0
    expect_same "$(grep -c "^process $pid (lives): " out)" 3 "blocks"
    ! grep -q "$(printf '\033')" out || fail "it writes to a terminal that is none"
    end_it
    expect_same "$status" 5 "exit code of the program"
}

# Issue: "`vftr top --batch` keeps to COLUMNS"
test_the_lines_of_top_are_as_long_as_COLUMNS_says() {
    config
    lives
    local width
    begin ./lives
    for width in 40 60 80 90 100 200; do
        COLUMNS=$width run "$vftr" top --count 1 --interval 0.1 --batch "$pid"
        grep -q ' busy$' out || fail "no busy in $width columns: $(cat out)"
        awk -v width=$width 'length($0) > width { exit 1 }' out || fail "a line is longer than $width characters: $(cat out)"
        expect_same "$(grep -c 'in all$' out)" $((width >= 100)) "titles of the columns in all in $width columns"
        tr '\n' ' ' <out | grep -q 'ns for one that is not' || fail "some text is lost in $width columns: $(cat out)"
    done
    for width in '' wide 0; do
        COLUMNS=$width run "$vftr" top --count 1 --interval 0.1 --batch "$pid"
        grep -q 'in all$' out || fail "columns are left out with COLUMNS='$width': $(cat out)"
    done
    end_it
}

test_top_leaves_the_program_alone() {
    config
    lives
    begin ./lives
    run "$vftr" top --count 1 --interval 0.1 "$pid"
    end_it
    expect_same "$status" 5 "exit code"
    expect_same "$(cat ready) $(cat err.program)" "$pid " "output of the program"
    expect_calls lives_all.log main 1
}

test_functions_of_a_program_that_was_deleted_have_their_names() {
    config
    lives
    cp lives gone
    begin ./gone
    rm gone
    run "$vftr" top --count 1 --interval 0.2 "$pid"
    grep -q ' busy$' out || fail "no busy: $(cat out)"
    report gone_"$pid".tmpvfd
    end_it
    expect_calls report main 1
}

test_what_top_cannot_show_is_one_line() {
    config
    lives
    begin ./lives die
    end_it
    sleep 300 &
    local alien=$! arguments
    for arguments in "$(echo lives_*.tmpvfd)" missing.vfd config.json 999999999 $alien; do
        run "$vftr" top "$arguments"
        expect_same "$status $(wc -l <err) $(cat out)" "1 1 " "status, lines on stderr and output of vftr top $arguments"
        grep -qwF -- "$arguments" err || fail "vftr top $arguments does not say of what it speaks: $(cat err)"
    done
    kill $alien
    for arguments in "" "1 2" "--interval 0 1" "--interval x 1" "--count 0 1" "--count -1 1" "--nosuch 1"; do
        # shellcheck disable=SC2086
        run "$vftr" top $arguments
        expect_same "$status" 2 "exit code of vftr top $arguments"
    done
    run "$vftr" ps missing
    expect_same "$status $(wc -l <err)" "1 1" "vftr ps missing"
    run "$vftr" ps a b
    expect_same "$status $(wc -l <err)" "2 1" "vftr ps a b"
}

test_ranks_are_known_by_their_numbers() {
    [ -n "${MPICC:-}" ] || skip "built without MPI"
    config
    cc=$MPICC build ranks.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static void waits(void) { usleep(1000); }
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    fclose(fopen(rank ? "ready1" : "ready0", "w"));
    while (access("stop", F_OK))
        waits();
    MPI_Finalize();
}
END
    local flags=(-n 2) i pid
    ! "$MPIRUN" --version 2>&1 | grep -q 'Open MPI' || flags+=(--oversubscribe --allow-run-as-root)
    timeout -k 1 "$run_limit" "$MPIRUN" "${flags[@]}" ./ranks >out.job 2>&1 &
    local mpirun_pid=$!
    until { [ -e ready0 ] && [ -e ready1 ]; } || ! kill -0 $mpirun_pid 2>/dev/null; do sleep 0.01; done
    run "$vftr" ps
    cp out listed
    pid=$(awk '$2 == 1 { print $1 }' listed)
    run "$vftr" top --count 1 --interval 0.1 "$pid"
    touch stop
    wait
    expect_same "$(awk 'NR > 1 { print $2, $NF }' listed | sort)" "0 ranks
1 ranks" "ranks listed: $(cat listed)"
    grep -q "^process $pid (ranks, rank 1): " out || fail "not rank 1: $(cat out)"
    grep -q ' waits$' out || fail "no function: $(cat out)"
}

# Issue: vftr top showed as init what the log shows as idle.
test_a_worker_of_openmp_that_waits_is_idle_in_top_as_in_the_log() {
    case $("$cc" --version) in *clang*) skip "the compiler's OpenMP is another one" ;; esac
    build pool.c -fopenmp <<'END'
#include <stdio.h>
#include <unistd.h>
static volatile int sink;
int main(void)
{
#pragma omp parallel num_threads(2)
    sink = 1;
    usleep(300000);
    printf("%d\n", (int)getpid());
    fflush(stdout);
    getchar();
    return 0;
}
END
    config
    begin env OMP_WAIT_POLICY=passive ./pool
    run "$vftr" top --count 1 --interval 0.1 "$pid"
    end_it
    expect_status 0
    awk '$NF == "idle" && $(NF - 1) == "omp" { n++; idle = $5 } $NF == "init" { init = $5 } END { exit !(n == 1 && idle >= 0.3 && init < idle / 2) }' out || fail "the worker is not idle: $(cat out)"
}

run_tests
