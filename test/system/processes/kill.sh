# SPDX-License-Identifier: BSD-3-Clause
# Acceptance case 19: a process that is killed at any moment leaves a file that opens, and no call that had completed is missing.
# KILLS=<n> processes are killed, 200 by default, in equal parts without and with a timeline, of one thread and of four.
. "${srcdir:-.}/test/system/lib.sh"

kills=${KILLS:-200}

# The program says in a file that it shares with us which calls it has completed: outer and leaf for each thread, side by side.
victim_and_killer() {
    build victim.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <vftrace.h>
static struct progress { volatile unsigned long outer, leaf, pad[6]; } *progress;
static void leaf(void) { for (volatile int i = 0; i < 100; i++) {} }
static void outer(struct progress *mine)
{
    for (int i = 0; i < 3; i++) {
        leaf();
        ++mine->leaf;
    }
    vftrace_region_begin("region");
    vftrace_region_end("region");
}
static void *work(void *mine)
{
    for (;;) {
        outer(mine);
        ++((struct progress *)mine)->outer;
    }
    return 0;
}
int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1, fd = open("progress", O_RDWR);
    pthread_t thread;
    progress = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    for (int i = 1; i < threads; i++)
        pthread_create(&thread, 0, work, &progress[i]);
    work(&progress[0]);
    return 0;
}
END
    # killer MICROSECONDS COMMAND…: so long after its start, or with FROM_FIRST_CALL after its first call, however long a busy machine takes to come there. It prints the process id and how many calls of outer and leaf had completed.
    instrument='' linkage=none build killer.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int fd = open("progress", O_RDWR | O_CREAT | O_TRUNC, 0644), status;
    if (argc < 3 || ftruncate(fd, 4096) != 0)
        return 2;
    volatile unsigned long *progress = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0), outer = 0, leaf = 0;
    pid_t child = fork();
    if (child == 0) {
        execv(argv[2], argv + 2);
        _exit(127);
    }
    while (getenv("FROM_FIRST_CALL") && progress[1] == 0)
        usleep(50);
    usleep(atoi(argv[1]));
    kill(child, SIGKILL);
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
        return 1;
    for (int i = 0; i < 512; i += 8) {
        outer += progress[i];
        leaf += progress[i + 1];
    }
    printf("%d %lu %lu\n", child, outer, leaf);
    return 0;
}
END
}

# expect_between WHAT SEEN COMPLETED THREADS: at most one call of each thread had not completed.
expect_between() {
    [ "$2" -ge "$3" ] && [ "$2" -le $(($3 + $4)) ] || fail "killed $moment us after its start: $1 in the file: $2, completed: $3, threads: $4"
}

# kill_many THREADS MOST_MICROSECONDS
kill_many() {
    local i moment pid outer leaf file begun=0
    RANDOM=1
    for ((i = 0; i < kills / 4; i++)); do
        moment=$(((RANDOM * 32768 + RANDOM) % $2))
        # Every other one is sure to have begun.
        if ((i % 2)); then FROM_FIRST_CALL=yes run ./killer $moment ./victim "$1"; else run ./killer $moment ./victim "$1"; fi
        expect_status 0
        read -r pid outer leaf <out
        file=victim_$pid.tmpvfd
        if [ -e "$file" ]; then
            begun=$((begun + 1))
            report "$file"
            expect_between leaf "$(calls_of report leaf)" "$leaf" "$1"
            expect_between outer "$(calls_of report outer)" "$outer" "$1"
            [ -z "${timeline:-}" ] || check_timeline "$1"
        else
            expect_same "$outer $leaf" "0 0" "calls that have no file"
        fi
        rm -f -- victim_*
    done
    echo "$begun of $((kills / 4)) had begun to record"
    expect_at_least "$begun" $((kills / 8)) "processes that had begun to record"
}
check_timeline() {
    "$vftr" dump "$file" >dumped || fail "vftr dump"
    expect_between "begin of leaf" "$(grep -c 'call leaf<' dumped)" "$leaf" "$1"
    expect_between "begin of outer" "$(grep -c 'call outer<' dumped)" "$outer" "$1"
    [ "$(grep -c 'exit leaf<' dumped)" -ge "$leaf" ] || fail "an end of leaf is missing"
    [ "$(grep -c 'exit outer<' dumped)" -ge "$outer" ] || fail "an end of outer is missing"
}

# Half of the processes.
use_clang() { ! have clang || cc=clang; }

test_killed_with_one_thread() {
    config
    victim_and_killer
    kill_many 1 20000
}
test_killed_with_four_threads() {
    use_clang
    config
    victim_and_killer
    kill_many 4 20000
}
test_killed_with_one_thread_and_a_timeline() {
    use_clang
    local timeline=1
    config '"sampling": {"active": true, "sample_interval": 0}'
    victim_and_killer
    kill_many 1 12000
}
test_killed_with_four_threads_and_a_timeline() {
    local timeline=1
    config '"sampling": {"active": true, "sample_interval": 0}'
    victim_and_killer
    kill_many 4 12000
}

run_tests
