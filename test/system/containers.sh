# SPDX-License-Identifier: BSD-3-Clause
# Processes of several containers that share a folder may have the same process id, and all results remain.
. "${srcdir:-.}/test/system/lib.sh"

# Eight containers with a process of the same id each; all run until all have begun.
in_eight_containers() {
    local i j
    unshare -pf --mount-proc true 2>/dev/null || skip "no namespaces of process ids here"
    build together.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int leaf(int x) { return x + 1; }
int main(int argc, char **argv)
{
    char name[64];
    int sum = 0;
    (void)argc;
    for (int i = 0; i < 100; i++)
        sum += leaf(i);
    snprintf(name, sizeof name, "begun.%s", argv[1]);
    fclose(fopen(name, "w"));
    for (int i = 1; i <= 8; i++) {
        snprintf(name, sizeof name, "begun.%d", i);
        while (access(name, F_OK) != 0)
            usleep(1000);
    }
    return sum == 0;
}
END
    for i in 1 2 3 4 5 6 7 8; do
        timeout "$run_limit" unshare -pf --mount-proc "$@" ./together $i >out.$i 2>err.$i &
        job[i]=$!
    done
    for j in 1 2 3 4 5 6 7 8; do
        wait "${job[j]}" || fail "container $j ends with $?: $(cat err.$j)"
        [ ! -s err.$j ] || fail "container $j: $(cat err.$j)"
    done
}

# Issue: same pid in several containers in one folder, 2 of 8 results remained
test_results_of_one_process_id_in_eight_containers_all_remain() {
    mkdir results
    config '"output_directory": "results", "sampling": {"active": true}'
    in_eight_containers
    for kind in _all.log _all.vfd _0.vfd; do
        expect_same "$(find results -name "together*$kind" | wc -l)" 8 "files *$kind"
    done
    expect_same "$(find results -name '*.tmp*' | wc -l)" 0 "files left behind"
    for log in results/*_all.log; do
        expect_calls "$log" leaf 100
    done
}

run_tests
