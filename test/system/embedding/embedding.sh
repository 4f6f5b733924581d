# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that embed vftrace, on top of lib.sh. Sourced by the scripts about callbacks.

embedder() { # NAME.c <SOURCE
    build "$@" -I"$srcdir/test/system/embedding"
}
# All that a run may leave behind is what the test made itself.
expect_no_file_of_ours() {
    local found
    found=$(ls -d ./*.vfd ./*.tmpvfd ./*.log ./*.tmp vftrace_symbols 2>/dev/null)
    [ -z "$found" ] || fail "files: $found"
}

workload() {
    embedder work.c "$@" <<'END'
#include "embedder.h"
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
static void recurse(int n) { leaf(); if (n) recurse(n - 1); }
static void *work(void *arg)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    return arg;
}
static void run(void)
{
    pthread_t threads[2];
    recurse(9);
    vftrace_region_begin("outer");
    vftrace_region_begin("inner");
    leaf();
    vftrace_region_end("inner");
    vftrace_region_end("outer");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
int main(int argc, char **argv)
{
    if (argc > 1 && embed(argv[1]) != VFTRACE_OK)
        return 2;
    run();
    if (argc > 2)
        vftrace_shutdown();
    report();
    return 0;
}
END
}
