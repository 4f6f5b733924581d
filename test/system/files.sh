# SPDX-License-Identifier: BSD-3-Clause
# Files of several processes do not collide, and trouble with files or with the configuration never harms the program.
. "${srcdir:-.}/test/system/lib.sh"

# leaf is called as often as the argument says; the sum goes to stdout.
program() {
    build prog.c "$@" <<'END'
#include <stdio.h>
#include <stdlib.h>
static int leaf(int n) { return n & 1; }
static int work(int n) { int sum = 0; while (n--) sum += leaf(n); return sum; }
int main(int argc, char **argv)
{
    printf("%d\n", work(argc > 1 ? atoi(argv[1]) : 1000));
    return 3;
}
END
}
expect_untouched() {
    expect_status 3
    expect_same "$(cat out)" "$1" "output of the program"
}
every_event='"sampling": {"active": true, "sample_interval": 0}'

test_a_forked_child_has_a_file_of_its_own() {
    config
    build forks.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void in_child(void) { for (int i = 0; i < 300; i++) leaf(); }
static void in_parent(void) { for (int i = 0; i < 70; i++) leaf(); }
int main(void)
{
    int status;
    leaf();
    if (fork() == 0) {
        in_child();
        return 9;
    }
    in_parent();
    wait(&status);
    return WEXITSTATUS(status);
}
END
    run ./forks
    expect_status 9
    expect_silence
    expect_calls forks_all.log in_parent 1
    expect_calls forks_all.log in_child 0
    expect_calls forks_all.log leaf 71
    expect_calls forks_all.log main 1
    local child
    child=$(ls forks*.log | grep -v '^forks_all.log$')
    expect_same "$(wc -w <<<"$child")" 1 "logs of children ($(ls -m))"
    expect_calls "$child" in_child 1
    expect_calls "$child" in_parent 0
    expect_calls "$child" leaf 300
}

test_a_child_that_ends_by__exit_leaves_a_readable_file() {
    config
    build forks.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void in_child(void) { for (int i = 0; i < 300; i++) leaf(); }
int main(void)
{
    leaf();
    for (int k = 0; k < 3; k++)
        if (fork() == 0) {
            in_child();
            _exit(0);
        }
    while (wait(0) > 0)
        leaf();
    return 0;
}
END
    run_well ./forks
    expect_calls forks_all.log leaf 4
    expect_calls forks_all.log in_child 0
    local file children=0
    for file in forks_*.tmpvfd; do
        report "$file"
        expect_calls report in_child 1
        expect_calls report leaf 300
        children=$((children + 1))
    done
    expect_same $children 3 "files of children"
}

test_fork_from_a_thread_and_system_and_vfork_do_no_harm() {
    config
    build spawns.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static void leaf(void) {}
static void *work(void *unused)
{
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            leaf();
            _exit(0);
        }
        waitpid(child, 0, 0);
        leaf();
    }
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pid_t child;
    char *arguments[] = {"true", 0};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    if (system("exit 4") >> 8 != 4)
        return 1;
    if (posix_spawn(&child, "/bin/true", 0, 0, arguments, environ))
        return 2;
    waitpid(child, 0, 0);
    if ((child = vfork()) == 0) {
        execv("/bin/true", arguments);
        _exit(1);
    }
    waitpid(child, 0, 0);
    leaf();
    return 0;
}
END
    run_well ./spawns
    expect_calls spawns_all.log leaf 21
    expect_calls spawns_all.log work 2
    expect_stack spawns_all.log 'leaf<main<init'
}

test_a_raw_fork_does_not_write_into_the_file_of_its_parent() {
    config
    build raw.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void in_child(void) { for (int i = 0; i < 300; i++) leaf(); }
int main(void)
{
    leaf();
    for (int k = 0; k < 3; k++) {
        pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            in_child();
            _exit(0);
        }
        int status = 1;
        waitpid(child, &status, 0);
        if (status)
            return 1;
    }
    leaf();
    return 0;
}
END
    run_well ./raw
    expect_calls raw_all.log leaf 2
    expect_calls raw_all.log in_child 0
}

test_an_instrumented_handler_may_fire_inside_fork() {
    config
    build chld.c <<'END'
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int reaped;
static void leaf(void) {}
static void handler(int sig)
{
    int saved = errno;
    (void)sig;
    leaf();
    while (waitpid(-1, 0, WNOHANG) > 0)
        reaped++;
    errno = saved;
}
int main(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGCHLD, &action, 0);
    for (int i = 0; i < 300; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        if (child < 0)
            return 1;
    }
    while (reaped < 300)
        usleep(1000);
    return 0;
}
END
    run_well ./chld
    expect_calls chld_all.log main 1
    expect_at_least "$(calls_of chld_all.log handler)" 1 "calls of the handler"
}

test_an_image_that_execs_another_keeps_its_own_file() {
    config
    build again.c <<'END'
#include <unistd.h>
static void leaf(void) {}
static void first(void) { for (int i = 0; i < 111; i++) leaf(); }
static void second(void) { for (int i = 0; i < 22; i++) leaf(); }
int main(int argc, char **argv)
{
    char *arguments[] = {argv[0], "second", 0};
    if (argc > 1) {
        second();
        return 0;
    }
    first();
    execv("./missing", arguments); /* fails, and everything goes on */
    leaf();
    execv(argv[0], arguments);
    return 1;
}
END
    run_well ./again
    expect_calls again_all.log second 1
    expect_calls again_all.log leaf 22
    expect_calls again_all.log first 0
    local file found=0
    for file in again_*.tmpvfd; do
        report "$file"
        expect_calls report first 1
        expect_calls report leaf 112
        found=$((found + 1))
    done
    expect_same $found 1 "files of the first image"
}

test_two_runs_at_once_in_one_folder_overwrite_no_log() {
    config
    build pair.c <<'END'
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    char byte;
    for (int i = 0; i < argc * 100; i++)
        leaf();
    (void)argv;
    return read(0, &byte, 1) < 0;
}
END
    mkfifo one two
    ./pair <one 2>err &
    ./pair second <two 2>>err &
    exec 8>one 9>two
    sleep 0.2
    exec 8>&- 9>&-
    wait
    expect_silence
    local file counts
    counts=$(for file in pair*.log; do calls_of "$file" leaf; done | sort | xargs)
    expect_same "$counts" "100 200" "calls of leaf in the logs $(ls -m ./*.log)"
}

test_an_unwritable_directory_is_one_warning() {
    [ "$(id -u)" != 0 ] || have setpriv || skip "root can write everywhere"
    mkdir closed
    chmod 555 closed
    chmod 755 . .. 2>/dev/null
    program
    config '"output_directory": "closed"'
    # As root, without the right to write everywhere.
    if [ "$(id -u)" = 0 ]; then
        run setpriv --bounding-set=-dac_override --inh-caps=-dac_override ./prog
    else
        run ./prog
    fi
    expect_untouched 500
    expect_at_most "$(grep -c . err)" 8 "lines on stderr"
    expect_at_least "$(grep -c closed err)" 1 "lines that name the directory"
}

test_a_missing_directory_is_told_once() {
    program
    config '"output_directory": "missing"'
    run ./prog
    expect_untouched 500
    expect_said_once '^Error: .*output_directory'
    # The option keeps its default.
    expect_calls prog_all.log leaf 1000
}

test_a_read_only_working_directory_is_one_warning() {
    [ -d /proc/self ] || skip "no /proc"
    local here=$PWD
    program
    config
    cd /proc/self || skip "cannot enter /proc/self"
    status=0
    timeout 30 "$here/prog" >"$here/out" 2>"$here/err" || status=$?
    cd "$here" || exit 1
    expect_untouched 500
    expect_said_once 'vftrace: warning:'
}

test_a_full_disk_is_one_warning_and_the_profile_goes_on() {
    [ "$(id -u)" = 0 ] || skip "mounting a small file system needs root"
    mkdir disk
    mount -t tmpfs -o size=300k tmpfs disk 2>/dev/null || skip "cannot mount a tmpfs"
    trap 'umount disk' EXIT
    config "$every_event"', "output_directory": "'"$PWD"'/disk"'
    program
    run ./prog 400000
    expect_untouched 200000
    expect_at_least "$(grep -c vftrace: err)" 1 "warnings"
    expect_at_most "$(grep -c 'cannot extend' err)" 1 "warnings that the file cannot grow"
    ls -la disk
    # What fitted can be read.
    local file
    file=$(ls disk/*vfd | head -1)
    expect_file "$file"
    report "$file"
}

test_a_file_size_limit_neither_kills_nor_stops_the_program() {
    config "$every_event"
    program
    run bash -c 'ulimit -f 300; ./prog 1000000'
    expect_untouched 500000
    expect_said_once 'vftrace: warning:'
    expect_calls prog_all.log leaf 1000000
}

test_no_file_at_all_may_be_written() {
    config
    program
    # Neither our files nor, where it is one, stderr: the warning itself must not kill.
    run bash -c '(ulimit -f 0; ./prog 1000; echo "code $?") 2>&1 | cat'
    expect_same "$(grep -v vftrace: out | xargs)" '500 code 3' "output"
    mv out err
    expect_said_once 'vftrace: warning:'
    run bash -c '(ulimit -f 0; ./prog 1000 2>stderr; echo "code $?") 2>&1 | cat'
    expect_same "$(xargs <out)" '500 code 3' "output with a file for stderr"
}

test_a_memory_limit_neither_kills_nor_stops_the_program() {
    config
    program
    run bash -c 'ulimit -v 40000; ./prog 1000'
    expect_untouched 500
    for kb in 9000 12000 16000 22000; do
        linkage=none program
        mv prog bare
        linkage=shared program
        run bash -c "ulimit -v $kb; ./bare 1000"
        [ $status = 3 ] || continue
        run bash -c "ulimit -v $kb; ./prog 1000"
        [ $status != 127 ] || continue # the loader itself had no room for the library
        expect_untouched 500
    done
}

# The address space is for the program's threads, not for the trees that they might get.
test_threads_below_a_limit_of_address_space_begin_all_the_same() {
    config
    build many.c <<'END'
#include <pthread.h>
#include <semaphore.h>
enum { Many = 30 };
static pthread_barrier_t all;
static sem_t begun;
static void leaf(void) {}
static void *work(void *unused) { leaf(); sem_post(&begun); pthread_barrier_wait(&all); return unused; }
int main(void)
{
    pthread_t threads[Many];
    pthread_barrier_init(&all, 0, Many);
    sem_init(&begun, 0, 0);
    for (int i = 0; i < Many; i++) {
        if (pthread_create(&threads[i], 0, work, 0))
            return 1;
        sem_wait(&begun);
    }
    for (int i = 0; i < Many; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
    run bash -c 'ulimit -s 8192; ulimit -v 850000; exec ./many'
    expect_status 0
    expect_silence
    expect_calls many_all.log leaf 30
}

test_few_file_descriptors_do_no_harm() {
    config
    program
    run bash -c 'ulimit -n 4; ./prog 1000'
    expect_untouched 500
    build hoards.c <<'END'
#include <fcntl.h>
#include <pthread.h>
static void leaf(void) {}
static void *work(void *unused) { for (int i = 0; i < 100; i++) leaf(); return unused; }
static int hoard(void) { int last = -1, fd; while ((fd = open("/dev/null", O_RDONLY)) >= 0) last = fd; return last; }
int main(void)
{
    pthread_t thread;
    hoard();
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
END
    run bash -c 'ulimit -n 64; ./hoards'
    expect_status 0
}

test_closed_standard_streams_do_no_harm() {
    config
    program
    for closed in '>&-' '2>&-' '<&-' '>&- 2>&- <&-'; do
        status=0
        timeout 30 bash -c "./prog 1000 $closed" >out 2>err || status=$?
        expect_status 3
        expect_calls prog_all.log leaf 1000
        rm -f -- *.log *.vfd
    done
    # No file of ours may sit in the place of a closed stream, where the program's output would land in it.
    build writes.c <<'END'
#include <errno.h>
#include <unistd.h>
static int leaf(void) { return write(1, "x", 1) == -1 && errno == EBADF && write(2, "x", 1) == -1 && errno == EBADF; }
int main(void) { return leaf() ? 6 : 7; }
END
    run bash -c 'exec ./writes >&- 2>&-'
    expect_status 6
}

test_a_bad_configuration_is_told_once_and_never_fatal() {
    program
    local text
    for text in 'nonsense' '{' '{"sampling": 5}' '{"sampling": {"sample_interval": -1}}' '[]' '' \
        '{"off": "yes"}' '{"logfile_for_ranks": "5-2"}' '{"sampling": {"precise_functions": "("}}' '{"a": 1,}'; do
        printf '%s\n' "$text" >bad.json
        VFTR_CONFIG=bad.json run ./prog
        expect_untouched 500
        [ -s err ] || fail "nothing is said about $text"
        expect_at_most "$(grep -c '^Error' err)" 1 "errors told about $text: $(head -5 err)"
        expect_file prog_all.log
        rm -f -- *.log *vfd
    done
    VFTR_CONFIG=missing.json run ./prog
    expect_untouched 500
    expect_at_least "$(grep -c missing.json err)" 1 "lines that name the missing file"
    VFTR_CONFIG=/ run ./prog
    expect_untouched 500
    printf '{"samplingg": {}}' >bad.json
    VFTR_CONFIG=bad.json run ./prog
    expect_untouched 500
    expect_said_once '^Warning: "samplingg"'
    expect_said_once 'Did you mean "sampling"?'
}

test_the_basename_and_the_directory_of_the_configuration_are_used() {
    mkdir there
    config '"output_directory": "there", "outfile_basename": "mine", "sampling": {"active": true}'
    program
    run ./prog
    expect_untouched 500
    expect_calls there/mine_all.log leaf 1000
    expect_file there/mine_0.vfd
    expect_same "$(ls ./*.log ./*vfd 2>/dev/null)" "" "files beside the program"
}

test_a_program_that_changes_its_directory_has_its_files_where_it_began() {
    config
    build moves.c <<'END'
#include <unistd.h>
static void leaf(void) {}
int main(void) { leaf(); int bad = chdir("/"); leaf(); return bad; }
END
    run_well ./moves
    expect_calls moves_all.log leaf 2
}

run_tests
