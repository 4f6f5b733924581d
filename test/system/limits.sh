# SPDX-License-Identifier: BSD-3-Clause
# Limits of files, memory and descriptors, and closed streams, never harm the program.
. "${srcdir:-.}/test/system/lib.sh"

test_a_file_size_limit_neither_kills_nor_stops_the_program() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    build prog
    run bash -c 'ulimit -f 300; ./prog 1000000'
    expect_ending 3 500000
    expect_said_once 'vftrace: warning:'
    expect_calls prog_all.log leaf 1000000
}

test_no_file_at_all_may_be_written() {
    config
    build prog
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
    build prog
    run bash -c 'ulimit -v 40000; ./prog 1000'
    expect_ending 3 500
    for kb in 9000 12000 16000 22000; do
        linkage=none build prog
        mv prog bare
        linkage=shared build prog
        run bash -c "ulimit -v $kb; ./bare 1000"
        [ $status = 3 ] || continue
        run bash -c "ulimit -v $kb; ./prog 1000"
        [ $status != 127 ] || continue # the loader itself had no room for the library
        expect_ending 3 500
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
    build prog
    run bash -c 'ulimit -n 4; ./prog 1000'
    expect_ending 3 500
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
    build prog
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

run_tests
