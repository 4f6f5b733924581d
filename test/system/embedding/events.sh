# SPDX-License-Identifier: BSD-3-Clause
# Callbacks instead of files: what is delivered.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/embedding/embedding.sh"

# embedding.md: all callbacks → exact event counts, no file
expect_exact_counts() {
    for linkage in shared archive static; do
        config '"sampling": {"active": true, "sample_interval": 0}'
        workload
        run_well ./work elELmMsxf now
        # run, recurse 10 times, leaf 10 + 1 + 2000 times, work twice; main was entered before
        expect_same "$(cat out)" 'enters 2024 leaves 2024 leaf 2011 region 2 2 modules 1 threads 3 2 finished 1 vanished 0 wrong 0' "$cc, $linkage"
        expect_no_file_of_ours
    done
}
test_all_callbacks_get_every_event_and_there_is_no_file() { with_each_compiler expect_exact_counts; }

# embedding.md: each single callback alone → no file
test_each_callback_alone_gets_its_events_and_there_is_no_file() {
    config
    workload
    for which in e l E L m M s x f; do
        run_well ./work $which now
        expect_no_file_of_ours
        case $which in
        e) counted='enters 2024 leaves 0 leaf 2011 region 0 0 modules 0 threads 0 0 finished 0' ;;
        l) counted='enters 0 leaves 2024 leaf 0 region 0 0 modules 0 threads 0 0 finished 0' ;;
        E) counted='enters 0 leaves 0 leaf 0 region 2 0 modules 0 threads 0 0 finished 0' ;;
        L) counted='enters 0 leaves 0 leaf 0 region 0 2 modules 0 threads 0 0 finished 0' ;;
        m) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 0 0 finished 0' ;;
        M) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 1 threads 0 0 finished 0' ;;
        s) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 3 0 finished 0' ;;
        x) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 0 2 finished 0' ;;
        f) counted='enters 0 leaves 0 leaf 0 region 0 0 modules 0 threads 0 0 finished 1' ;;
        esac
        expect_same "$(cat out)" "$counted vanished 0 wrong 0" "callback $which alone"
    done
}

# embedding.md: traced function in a callback
test_an_instrumented_function_in_a_callback_is_not_delivered() {
    embedder inside.c <<'END'
#include "embedder.h"
static long inner;
static void helper(void) { inner++; }
HIDE void noisy(void *user, const struct vftrace_call_event *event)
{
    on_enter(user, event);
    for (int i = 0; i < 100; i++)
        helper();
    vftrace_region_begin("within");
    vftrace_region_end("within");
}
static void leaf(void) {}
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("elELf");
    c.function_enter = noisy;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 2000; i++)
        leaf();
    vftrace_shutdown();
    printf("%ld %ld %ld %ld %llu %llu\n", enters, leaves, region_enters, inner, (unsigned long long)last_totals.dropped,
           (unsigned long long)last_totals.nested);
    return 0;
}
END
    run_well ./inside
    set -- $(cat out)
    expect_same "$1 $2 $3 $4 $5" '2000 2000 0 200000 0' 'enters, leaves, regions, calls within the callback, lost'
    expect_at_least "$6" 200000 'events within callbacks that are counted'
    expect_no_file_of_ours
}

# Events: modules loaded, threads started and ended with their parent.
test_modules_and_threads_are_told_with_what_is_known_of_them() {
    cat >part.c <<'END'
void part(void) {}
END
    $cc -g -finstrument-functions -fPIC -shared part.c -o part.so || fail 'part'
    embedder told.c -ldl <<'END'
#define _GNU_SOURCE
#include "embedder.h"
#include <dlfcn.h>
#include <sys/syscall.h>
HIDE void module(void *user, const struct vftrace_module_event *event) { on_module(user, event); printf("module %s\n", strrchr(event->path, '/')); }
HIDE void started(void *user, const struct vftrace_thread_event *event)
{
    char path[200];
    on_start(user, event);
    if (event->tid != (unsigned)syscall(SYS_gettid))
        ADD(wrong);
    if (event->parent == VFTRACE_NO_THREAD)
        return;
    vftrace_path_text(event->parent_path, path, sizeof path);
    printf("thread %u of %u from %s, %d\n", event->thread, event->parent, path, event->created_ns != 0 && event->created_ns <= event->time_ns);
}
HIDE void ended(void *user, const struct vftrace_thread_event *event) { on_end(user, event); printf("thread %u ended\n", event->thread); }
static void *work(void *arg) { return arg; }
static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("e");
    c.module_loaded = module;
    c.thread_started = started;
    c.thread_ended = ended;
    vftrace_set_callbacks(&c);
    begin();
    void *part = dlopen("./part.so", RTLD_NOW);
    if (!part)
        return 1;
    ((void (*)(void))dlsym(part, "part"))();
    return wrong != 0;
}
END
    run_well ./told
    expect_same "$(cat out)" 'module /told
thread 1 of 0 from begin<main<init, 1
thread 1 ended
module /part.so' 'what was told'
}

# Times are CLOCK_MONOTONIC, in order on each thread; a pause is not delivered; functions that never return are left all the same.
test_times_are_the_clocks_and_calls_come_in_pairs() {
    embedder times.c <<'END'
#include "embedder.h"
#include <setjmp.h>
#include <time.h>
static unsigned long long latest;
static long depth;
static jmp_buf out;
HIDE unsigned long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}
HIDE void enter(void *user, const struct vftrace_call_event *event)
{
    unsigned long long here = now();
    on_enter(user, event);
    depth++;
    if (event->time_ns < latest || event->time_ns > here + 100000)
        ADD(wrong);
    latest = event->time_ns;
}
HIDE void leave(void *user, const struct vftrace_call_event *event)
{
    on_leave(user, event);
    depth--;
    if (event->time_ns < latest)
        ADD(wrong);
    latest = event->time_ns;
}
static void leaf(void) {}
static void jumps(int n) { if (n) jumps(n - 1); longjmp(out, 1); }
static void pauses(void) { vftrace_pause(); leaf(); leaf(); }
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("");
    c.function_enter = enter;
    c.function_leave = leave;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 20000; i++)
        leaf();
    pauses();
    leaf();
    vftrace_resume();
    if (!setjmp(out))
        jumps(3);
    leaf();
    printf("%ld %ld %ld %ld %ld\n", enters, leaves, depth, vanished, wrong);
    return vftrace_shutdown();
}
END
    run_well ./times
    expect_same "$(cat out)" '20006 20006 0 4 0' 'enters, leaves, difference, vanished, wrong times'
}

test_the_example_counts_its_functions() {
    cp "$srcdir/examples/embed.c" .
    for optimise in -O0 -O2; do
        build embed -lm
        run_well ./embed
        expect_same "$(sed -n 's/ calls .* s / /p' out | awk '{ print $2, $1 }' | sort)" 'integrate 10
value 10000' "calls"
        expect_no_file_of_ours
    done
}

# Usable via Fortran bind(C).
test_a_fortran_program_embeds() {
    [ -n "${FC:-}" ] && [ -e "$builddir/vftrace_embedding.mod" ] || skip "built without Fortran"
    build fort.F90 -Wall -Wextra <<'END'
module watcher
  use, intrinsic :: iso_c_binding
  use vftrace_embedding
  implicit none
  integer, volatile :: enters = 0, leaves = 0, regions = 0, finished = 0
contains
  subroutine on_enter(user, event) bind(c)
    type(c_ptr), value, intent(in) :: user
    type(vftrace_call_event), intent(in) :: event
    if (.not. c_associated(user) .and. event%kind == VFTRACE_FUNCTION .and. event%time_ns > 0) enters = enters + 1
  end subroutine
  subroutine on_leave(user, event) bind(c)
    type(c_ptr), value, intent(in) :: user
    type(vftrace_call_event), intent(in) :: event
    if (.not. c_associated(user) .and. c_associated(event%address)) leaves = leaves + 1
  end subroutine
  subroutine on_region(user, event) bind(c)
    type(c_ptr), value, intent(in) :: user
    type(vftrace_call_event), intent(in) :: event
    if (.not. c_associated(user) .and. event%kind == VFTRACE_REGION) regions = regions + 1
  end subroutine
  subroutine on_finish(user, totals) bind(c)
    type(c_ptr), value, intent(in) :: user
    type(vftrace_totals), intent(in) :: totals
    if (.not. c_associated(user) .and. totals%delivered == 21 .and. totals%dropped == 0) finished = finished + 1
  end subroutine
end module
subroutine leaf()
end subroutine
program fort
  use, intrinsic :: iso_c_binding
  use vftrace
  use vftrace_embedding
  use watcher
  implicit none
  type(vftrace_callbacks) :: callbacks
  integer :: i
  external :: leaf
  callbacks%size = c_sizeof(callbacks)
  callbacks%function_enter = c_funloc(on_enter)
  callbacks%function_leave = c_funloc(on_leave)
  callbacks%region_enter = c_funloc(on_region)
  callbacks%finished = c_funloc(on_finish)
  if (vftrace_set_callbacks(callbacks) /= VFTRACE_OK) stop 1
  do i = 1, 10
    call leaf()
  end do
  call vftrace_region_begin("region")
  call vftrace_region_end("region")
  if (vftrace_shutdown() /= VFTRACE_OK) stop 2
  if (vftrace_clear_callbacks() /= VFTRACE_ENDED) stop 3
  print '(4(i0,1x))', enters, leaves, regions, finished
end program
END
    run_well ./fort
    expect_same "$(cat out)" '10 10 1 1' 'enters, leaves, regions, totals'
    expect_no_file_of_ours
}

# The header: negative where nothing was done; a struct of an older program is shorter, and ends where a member does.
test_structs_that_no_header_has_are_refused() {
    embedder sizes.c <<'END'
#include "embedder.h"
static void leaf(void) {}
HIDE int set_size(struct vftrace_callbacks c, size_t size) { c.size = size; return vftrace_set_callbacks(&c); }
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("el");
    const size_t until_leave = offsetof(struct vftrace_callbacks, function_leave);
    if (set_size(c, 0) != VFTRACE_INVALID || set_size(c, until_leave - 5) != VFTRACE_INVALID || set_size(c, until_leave + 1) != VFTRACE_INVALID)
        return 1;
    if (set_size(c, until_leave) != VFTRACE_OK)
        return 2;
    leaf();
    printf("%ld %ld\n", enters, leaves);
    return 0;
}
END
    run_well ./sizes
    expect_same "$(cat out)" '1 0' 'enters and leaves'
}

run_tests
