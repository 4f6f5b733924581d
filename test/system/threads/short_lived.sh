# SPDX-License-Identifier: BSD-3-Clause
# Thousands of short-lived threads: memory is reused, nothing lost.
. "${srcdir:-.}/test/system/lib.sh"

# size_of_recording COUNT: runs so many threads; the bytes of the recording while it was open, and kilobytes of memory.
short_lived() {
    build short.c <<'SOURCE'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void leaf(void) {}
static void *work(void *argument) { leaf(); return argument; }
__attribute__((no_instrument_function)) static void *silent(void *argument) { return argument; }
static void create(void *(*start)(void *))
{
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        if (pthread_create(&threads[i], 0, start, 0))
            exit(1);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
}
int main(int argc, char **argv)
{
    char line[256];
    for (int left = atoi(argv[argc - 1]); left > 0; left -= 8) {
        create(work);
        create(silent);
    }
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (strncmp(line, "VmRSS:", 6) == 0)
            printf("%d\n", atoi(line + 6));
    fflush(stdout);
    _exit(0);
}
SOURCE
}
size_after() {
    run_well ./short "$1"
    ls short_*.tmpvfd >files
    expect_same "$(wc -l <files)" 1 "open recordings"
    bytes=$(stat -c %s "$(cat files)")
    kilobytes=$(cat out)
    "$vftr" recover "$(cat files)" >recovered 2>&1 || fail "$(cat recovered)"
    report short_*.vfd
    mv report "report.$1"
    rm -f short_*vfd
}

# Issue: thousands of short-lived ones (memory is reused, nothing lost).
test_five_thousand_threads_need_the_memory_of_a_thousand() {
    config
    short_lived
    size_after 1000
    local few_bytes=$bytes few_kilobytes=$kilobytes
    size_after 5000
    expect_calls report.1000 work 1000
    expect_calls report.5000 work 5000
    expect_calls report.5000 leaf 5000
    # What is kept of each thread is 48 bytes, in segments that double.
    expect_at_most "$((bytes - few_bytes))" $((2 * 4000 * 48 + 100000)) "bytes that the recording of 4000 more threads has more"
    expect_at_most "$((kilobytes - few_kilobytes))" 1500 "kilobytes of memory that 4000 more threads need"
}

run_tests
