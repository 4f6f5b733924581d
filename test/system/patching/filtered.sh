# SPDX-License-Identifier: BSD-3-Clause
# Patching: what filters exclude, and the program itself, loses its hook calls. Programs that look at their own text.
. "${srcdir:-.}/test/system/lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "skip: no text is changed on $(uname -m)" && exit 77; }

# A program that looks at its own text. leaf and within are excluded; within is inlined where the compiler does that.
watched_program() { # FLAGS…
    build watched.c "$@" <<'END'
#include <stdio.h>
#include <string.h>
#include <vftrace.h>
enum { BYTES = 100 };
__attribute__((noinline)) int leaf(int n) { return n + 1; }
static inline int within(int n) { return n % 3 ? n * 5 : n; }
__attribute__((noinline)) int seen(int n) { return within(leaf(n)); }
static char first[2][BYTES];
static void look(const char *when)
{
    printf("%s: %d %d\n", when, memcmp(first[0], (void *)leaf, BYTES / 2) != 0, memcmp(first[1], (void *)seen, BYTES) != 0);
}
static int calls(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += seen(i);
    return sum;
}
int main(void)
{
    memcpy(first[0], (void *)leaf, BYTES);
    memcpy(first[1], (void *)seen, BYTES);
    calls(10);
    look("excluded");
    vftrace_include((void (*)(void))leaf);
    vftrace_include((void (*)(void))within);
    look("included");
    calls(20);
    vftrace_exclude((void (*)(void))leaf);
    look("excluded again");
    vftrace_exclude((void (*)(void))within);
    look("both");
    calls(40);
    return 0;
}
END
}

# Issue: on for filters; text is restored for re-enabling at run time
test_a_filter_changes_the_text_and_including_restores_it() {
    config '"filter": {"exclude": {"functions": "^(leaf|within)$"}}'
    each() {
        watched_program "$@"
        run_well ./watched
        expect_same "$(cat out)" "excluded: 1 $inlined
included: 0 0
excluded again: 1 0
both: 1 $inlined" "what has changed of leaf and seen: $linkage $*"
        expect_calls watched_all.log leaf 20
        expect_calls watched_all.log seen 70
        rm -f watched_all.* ./*.vfd
    }
    optimise=-O0 inlined=0 each
    optimise=-O2 inlined=1 each
    optimise=-O2 inlined=1 each -fno-plt
    optimise=-O3 inlined=1 each -flto -no-pie -fno-pie
    optimise=-O2 inlined=1 each -fcf-protection=full -Wl,-z,noseparate-code
    optimise=-O2 inlined=1 each -Wl,-z,max-page-size=0x200000
    linkage=archive optimise=-O2 inlined=1 each
    have clang || return 0
    cc=clang optimise=-O2 inlined=1 each
}
# Calls of far places: the address of the hook is in a register, so the calls stay, and the flag test does it.
test_where_hooks_are_called_through_registers_the_text_stays_and_the_filter_holds() {
    config '"filter": {"exclude": {"functions": "^(leaf|within)$"}}'
    each() {
        optimise=-O2 watched_program -mcmodel=large "$@"
        run_well ./watched
        expect_same "$(cut -d: -f2 out | sort -u)" " 0 0" "what has changed: $cc $*"
        expect_calls watched_all.log leaf 20
        expect_calls watched_all.log seen 70
        rm -f watched_all.* ./*.vfd
    }
    each
    each -no-pie -fno-pie
    have clang || return 0
    cc=clang each -no-pie -fno-pie
}
# Such a program may be one without a configuration (static cJSON).
test_a_static_program_changes_its_text() {
    linkage=static optimise=-O2 watched_program -Wl,--eh-frame-hdr
    run_well ./watched
    expect_same "$(tail -n 2 out | tr '\n' ' ')" "excluded again: 1 0 both: 1 1 " "what has changed"
}
# Issue: counts of functions that are never excluded are exact, whatever is excluded meanwhile
test_counts_of_other_functions_are_exact_while_threads_call_what_is_excluded_and_included() {
    config
    optimise=-O2 build busy.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <vftrace.h>
enum { THREADS = 8, CALLS = 30000, TIMES = 1000 };
static atomic_int running = THREADS;
__attribute__((noinline)) int leaf(int n) { return n + 1; }
static inline int within(int n) { return n % 3 ? n * 5 : n; }
__attribute__((noinline)) int seen(int n) { return within(leaf(n)); }
static void *work(void *wrong)
{
    for (int i = 0; i < CALLS; i++)
        if (seen(i) != ((i + 1) % 3 ? (i + 1) * 5 : i + 1))
            *(int *)wrong = 1;
    running--;
    return 0;
}
int main(void)
{
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0}, sum = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, &wrong[i]);
    for (int i = 0; i < TIMES && running; i++) {
        vftrace_exclude((void (*)(void))leaf);
        vftrace_exclude((void (*)(void))within);
        vftrace_include((void (*)(void))within);
        vftrace_include((void (*)(void))leaf);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        sum += wrong[i];
    }
    return sum;
}
END
    run_well ./busy
    expect_calls busy_all.log seen 240000
    expect_calls busy_all.log work 8
}
# Nobody has called the exit hook yet, so its slot leads to the dynamic linker.
test_the_first_function_that_is_excluded_loses_its_exit_hook_as_well() {
    config '"filter": {"exclude": {"functions": "."}}'
    build_early '(void)0'
    run_well ./early
    expect_same "$(cat out)" 2 "bytes that have changed"
}
# Issue: an excluded function costs more than 5 µs at first, and more again when its place has come often
test_each_of_thousands_of_excluded_functions_loses_its_hook_calls_and_waits_cheaply() {
    local i masks out functions=4000
    config '"filter": {"exclude": {"functions": "^step_[0-9]+$"}}'
    {
        echo 'static volatile int sum;'
        for ((i = 0; i < functions; i++)); do echo "__attribute__((noinline)) void step_$i(int n) { sum += n * $i; }"; done
        echo 'int main(int count, char **arguments) { for (int i = 0; i < (count > 1 ? 20 : 15); i++) {'
        for ((i = 0; i < functions; i++)); do echo "step_$i($i);"; done
        echo '} return arguments == 0; }'
    } >many.c
    # Each look under the lock at what is known of a function begins and ends with one of these.
    $cc -O1 -shared -fPIC -D_GNU_SOURCE -x c - -o masks.so -ldl <<'END' || fail "cannot compile"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static long masks;
int pthread_sigmask(int how, const sigset_t *wanted, sigset_t *before)
{
    static int (*next)(int, const sigset_t *, sigset_t *);
    if (!next)
        next = (int (*)(int, const sigset_t *, sigset_t *))dlsym(RTLD_NEXT, "pthread_sigmask");
    ++masks;
    return next(how, wanted, before);
}
static void tell(int status, void *unused)
{
    if (status == 0 && !unused)
        fprintf(stderr, "masks: %ld\n", masks);
}
__attribute__((constructor)) static void begin(void) { on_exit(tell, 0); }
END
    optimise=-O0 build many
    run env LD_PRELOAD="$PWD/masks.so" ./many
    masks=$(sed -n 's/^masks: //p' err)
    [ "${masks:-0}" -gt $functions ] && [ "$masks" -lt $((functions * 5)) ] || fail "$masks changes of the signal mask for $functions functions that are called 15 times"
    run_well ./many often
    out=$(sed -n 's/^Note: \([0-9]*\) hook calls of excluded functions were taken out.*/\1/p' many_all.log)
    [ "${out:-0}" -gt $((functions * 2 - functions / 50)) ] || fail "$out hook calls of $((functions * 2)) were taken out: $(grep ^Note many_all.log)"
}
# Issue: an excluded function costs at most 5 µs; so of many only those that are called again and again lose their hook calls.
test_after_many_functions_that_are_called_once_one_that_is_called_often_loses_its_hook_calls() {
    config '"filter": {"exclude": {"functions": "^(once|often)"}}'
    {
        printf '#include <stdio.h>\n#include <string.h>\n'
        for ((i = 0; i < 200; i++)); do echo "__attribute__((noinline, aligned(64))) void once_$i(void) { __asm__ volatile(\"\"); }"; done
        echo '__attribute__((noinline, aligned(64))) void often(void) { __asm__ volatile(""); }'
        echo 'static char before[2][64]; int main(void) { memcpy(before[0], (void *)once_150, 64); memcpy(before[1], (void *)often, 64);'
        for ((i = 0; i < 200; i++)); do echo "once_$i();"; done
        echo 'for (int i = 0; i < 100; i++) often();'
        echo 'printf("%d %d\n", memcmp(before[0], (void *)once_150, 64) != 0, memcmp(before[1], (void *)often, 64) != 0); return 0; }'
    } >crowd.c
    each() {
        optimise=-O1 build crowd
        run_well ./crowd
        expect_same "$(cat out)" "0 1" "whether the text has changed: $cc"
    }
    with_each_compiler each
}
# Likewise where the program excludes it, be it in a pause: the hooks that remain then show nothing.
test_what_is_excluded_before_any_function_has_ended_loses_its_exit_hook_as_well() {
    local first
    config
    for first in 'vftrace_exclude(leaf)' 'vftrace_pause(), vftrace_exclude(leaf)'; do
        build_early "$first"
        run_well ./early
        expect_same "$(cat out)" 2 "bytes that have changed"
    done
}
# build_early 'EXPRESSION': a program that does so before its first call of leaf, and prints how many bytes of that have changed after it.
build_early() {
    optimise=-O1 build early.c -Wl,-z,lazy "-DFIRST=$1" <<'END'
#include <stdio.h>
#include <string.h>
#include <vftrace.h>
static char before[40];
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
int main(void)
{
    int changed = 0;
    memcpy(before, (void *)leaf, sizeof before);
    FIRST;
    leaf();
    for (unsigned i = 0; i < sizeof before; i++)
        changed += before[i] != ((char *)leaf)[i];
    printf("%d\n", changed);
    return 0;
}
END
}
# Issue: text is restored for re-enabling at run time; where it cannot be, nothing is lost for good.
test_what_cannot_be_put_back_stays_excluded_and_comes_back_later() {
    config '"filter": {"exclude": {"functions": "^leaf$"}}'
    optimise=-O1 build scarce.c <<'END'
#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <vftrace.h>
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
static int included(void) { return vftrace_include((void (*)(void))leaf); }
int main(void)
{
    struct rlimit few = {32, 32};
    int last, fd;
    leaf();
    setrlimit(RLIMIT_NOFILE, &few);
    for (last = -1; (fd = open("/dev/null", O_RDONLY)) >= 0; last = fd)
        ;
    int without = included();
    leaf();
    for (; last > 20; last--)
        close(last);
    int with = included();
    leaf();
    printf("%d %d\n", without, with);
    return 0;
}
END
    run ./scarce
    expect_ending 0 '-1 0'
    expect_said_once 'cannot be put back'
    expect_calls scarce_all.log leaf 1
}
test_off_in_the_configuration_the_text_stays() {
    config '"filter": {"exclude": {"functions": "^(leaf|within)$"}, "live_patching": false}'
    optimise=-O2 watched_program
    run_well ./watched
    expect_same "$(cut -d: -f2 out | sort -u)" " 0 0" "what has changed"
    expect_calls watched_all.log leaf 20
    # Issue: with a filter the head says what the remaining hooks cost.
    grep -qE '^Note: hook calls of excluded functions stayed .*\(about [0-9.]+ ns a call\) is in the times of the callers: filter.live_patching is false\.$' watched_all.log ||
        fail "the head does not say what the hooks cost that stay: $(grep ^Note watched_all.log)"
}

run_tests
