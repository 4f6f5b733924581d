# SPDX-License-Identifier: BSD-3-Clause
#
# What the scripts about OpenMP share, on top of lib.sh. Entries of constructs end with the line ("omp parallel solve:42"); the tests name
# them without it.

# What tasks and waits do is no matter of how many processors there are; spinning ones keep the others waiting.
export OMP_NUM_THREADS=4 OMP_DYNAMIC=false OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

# expect_region LOG NAME CALLS: the sum over all entries of that name.
expect_region() {
    expect_file "$1"
    expect_same "$(grouped_counts "$1" | awk -F'\t' -v f="$2" '{ sub(/(\._omp_fn\.[0-9]+)?[:+][0-9a-fx]+$/, "", $2) } $2 == f { n += $1 } END { print n + 0 }')" \
        "$3" "calls of $2 in $1"
}
paths_of() { stacks_of "$1" | sed -E 's/\._omp_fn\.[0-9]+([:+])/\1/g; s/(omp [^<]*)[:+][0-9a-fx]+(<|$)/\1\2/g'; }
expect_path() { paths_of "$1" | grep -qxF -- "$2" || fail "$1 has no path $2; it has: $(paths_of "$1" | head -20)"; }

# The clang whose OpenMP is seen in `cc` and `cxx`; no success where there is none.
find_clang_with_openmp() {
    local version
    grep -q '^#define OMP_TOOLS_H' "$builddir/config.h" || return 1
    for version in '' -16 -17 -18 -19 -15 -14; do
        echo 'int main(void) { return 0; }' | clang$version -fopenmp -x c - -o /dev/null 2>/dev/null || continue
        cc=clang$version cxx=clang++$version
        return 0
    done
    return 1
}

# ./region: work on 4 threads in ten regions of solve, leaf on 3 in one of main.
build_region() {
    build region.c -fopenmp <<'END'
#include <stdio.h>
static void leaf(void) {}
static void work(void) { leaf(); leaf(); }
static void solve(void)
{
#pragma omp parallel
    work();
}
int main(void)
{
    for (int i = 0; i < 10; i++)
        solve();
#pragma omp parallel num_threads(3)
    leaf();
    puts("done");
    return 0;
}
END
}
# ./paused: 20 × 4 calls of seen in regions and 20 beside, and calls of unseen during pauses within regions.
build_paused() {
    build paused.c -fopenmp <<'END'
#include "vftrace.h"
static void seen(void) {}
static void unseen(void) {}
int main(void)
{
    for (int i = 0; i < 20; i++) {
#pragma omp parallel
        seen();
#pragma omp parallel
        {
#pragma omp barrier
#pragma omp master
            vftrace_pause();
#pragma omp barrier
            unseen();
#pragma omp critical
            unseen();
#pragma omp barrier
#pragma omp master
            vftrace_resume();
        }
        seen();
    }
    return 0;
}
END
}
# ./host: loads ./plugin.so three times, for itself alone, and prints what its function work returns.
build_plugin_host() {
    build host.c -ldl <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
        void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
        if (!plugin)
            return 1;
        int (*work)(void) = (int (*)(void))dlsym(plugin, "work");
        printf("%d\n", work());
        dlclose(plugin);
    }
    return 0;
}
END
}
# ./teams: 56 calls of leaf by the teams of 16 regions, each of another size; 8 regions have none.
build_teams() {
    build teams.c -fopenmp <<'END'
#include <omp.h>
static void leaf(void) {}
int main(void)
{
    int members = 0;
    for (int n = 1; n <= 8; n++) {
        omp_set_num_threads(n);
#pragma omp parallel
        leaf();
#pragma omp parallel num_threads(9 - n) reduction(+ : members)
        members++;
#pragma omp parallel if (n % 2)
        leaf();
    }
    return members == 36 ? 0 : 1;
}
END
}
# ./forks, with -DFORKER and -DCHILD_THREADS: three children, the second one of a member of a team. Each has a region, but not where
# that member is a worker.
build_forks() {
    build forks.c -fopenmp "$@" <<'END'
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void in_child(void) { leaf(); }
static int child(int with_region)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        in_child();
        if (with_region) {
#pragma omp parallel num_threads(CHILD_THREADS)
            leaf();
        }
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return status;
}
int main(void)
{
    int bad = child(1);
#pragma omp parallel num_threads(2)
    {
        leaf();
#pragma omp barrier
        if (omp_get_thread_num() == FORKER)
            bad += child(FORKER == 0);
    }
    bad += child(1);
#pragma omp parallel num_threads(2)
    leaf();
    return bad;
}
END
}
# ./off: 4 members call leaf in a region and in a task each. It prints how many they are, and how many regions the tool has seen that it has of its
# own with -DOWN_TOOL.
build_off() {
    build off.c -fopenmp "$@" <<'END'
#include <omp.h>
#include <stdio.h>
static void leaf(void) {}
static int begun;
#ifdef OWN_TOOL
#include <omp-tools.h>
static void on_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned n, int flags, const void *code)
{
    begun++;
}
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_parallel_begin, (ompt_callback_t)on_begin);
    return 1;
}
static void finalize(ompt_data_t *data) {}
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
    return &tool;
}
#endif
int main(void)
{
    int members = 0;
#pragma omp parallel reduction(+ : members)
    {
        leaf();
#pragma omp task
        leaf();
        members++;
    }
    printf("%d %d\n", members, begun);
    return 0;
}
END
}
