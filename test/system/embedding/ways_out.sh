# SPDX-License-Identifier: BSD-3-Clause
# Callbacks instead of files: exceptions, threads that end and jumps in a callback.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/embedding/embedding.sh"

# embedding.md: throwing callback → others delivered, process alive
expect_contained() {
    for linkage in shared archive static; do
        # Fully static, the program's own count of exceptions under way cannot be reached.
        uncaught=0
        [ $linkage != static ] || uncaught='std::uncaught_exceptions()'
        embedder throws.cpp "-DUNCAUGHT=$uncaught" <<'END'
#include "embedder.h"
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
static std::mutex mutex;
static long thrown, destroyed;
struct Counted : std::runtime_error {
    using std::runtime_error::runtime_error;
    __attribute__((no_instrument_function)) ~Counted() override { destroyed++; }
};
HIDE void throwing(void *user, const struct vftrace_call_event *event)
{
    std::lock_guard<std::mutex> guard(mutex);
    on_enter(user, event);
    if (++thrown % 3 == 0)
        throw 42;
    throw Counted("a text that is longer than what fits into a string itself");
}
static void leaf() {}
static int catches()
{
    try {
        leaf();
        throw std::string("the program's own");
    } catch (const std::string &text) {
        leaf();
        return static_cast<int>(text.size());
    }
}
int main()
{
    struct vftrace_callbacks c = callbacks_of("elELMsf");
    c.function_enter = throwing;
    if (vftrace_set_callbacks(&c) != VFTRACE_OK)
        return 1;
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        leaf();
        sum += catches();
    }
    if (std::uncaught_exceptions() != UNCAUGHT)
        return 2;
    vftrace_shutdown();
    printf("%ld %ld %d %ld %llu\n", enters, leaves, sum, destroyed, (unsigned long long)last_totals.exceptions);
    return 0;
}
END
        run ./throws
        expect_status 0
        # What of the C++ library is inlined is instrumented with the program; so the number of events is what it is.
        read -r entered left sum gone exceptions <out
        expect_same "$entered $sum $exceptions" "$left 170 $entered" "$cc, $linkage: enters, sum, exceptions"
        expect_same "$gone" $((entered - entered / 3)) "$cc, $linkage: exceptions destroyed"
        expect_said_once 'vftrace: warning: an exception left a callback'
        expect_no_file_of_ours
    done
}
test_an_exception_that_leaves_a_callback_ends_there() { with_each_compiler expect_contained; }

test_the_programs_handlers_do_not_see_a_callbacks_exception() {
    embedder unseen.cpp <<'END'
#include "embedder.h"
static int seen;
HIDE void deeper(int n) { if (n) deeper(n - 1); else throw n; }
HIDE void throwing(void *user, const struct vftrace_call_event *event) { on_leave(user, event); deeper(20); }
static void leaf() {}
int main()
{
    struct vftrace_callbacks c = callbacks_of("el");
    c.function_leave = throwing;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 100; i++)
        try { leaf(); } catch (...) { seen++; }
    printf("%ld %ld %d\n", enters, leaves, seen);
    return 0;
}
END
    run ./unseen
    expect_status 0
    expect_same "$(cat out)" '100 100 0' 'enters, leaves, exceptions that the program saw'
}

test_a_thread_may_end_in_a_callback() {
    embedder gone.c <<'END'
#include "embedder.h"
HIDE void leaving(void *user, const struct vftrace_call_event *event)
{
    on_enter(user, event);
    if (event->name && !strcmp(event->name, "last"))
        pthread_exit(0);
}
static void leaf(void) {}
static void last(void) { leaf(); }
static void *work(void *arg) { leaf(); last(); return arg; }
int main(void)
{
    pthread_t thread;
    struct vftrace_callbacks c = callbacks_of("elsxf");
    c.function_enter = leaving;
    vftrace_set_callbacks(&c);
    for (int i = 0; i < 10; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    vftrace_shutdown();
    report();
    return last_totals.under_way != 0;
}
END
    run_well ./gone
    expect_same "$(cat out)" 'enters 30 leaves 30 leaf 10 region 0 0 modules 0 threads 10 10 finished 1 vanished 20 wrong 0' counts
}

# Not allowed; the thread goes on being delivered all the same.
test_a_thread_is_taken_up_after_a_callback_was_left_by_longjmp() {
    embedder jumps.c <<'END'
#include "embedder.h"
#include <setjmp.h>
static jmp_buf before;
static int jump;
HIDE void jumping(void *user, const struct vftrace_call_event *event)
{
    on_enter(user, event);
    if (jump)
        longjmp(before, 1);
}
static void leaf(void) {}
static void outer(void)
{
    jump = 1;
    if (!setjmp(before))
        leaf();
    jump = 0;
    for (int i = 0; i < 1000; i++)
        leaf();
}
int main(void)
{
    struct vftrace_callbacks c = callbacks_of("el");
    c.function_enter = jumping;
    vftrace_set_callbacks(&c);
    outer();
    leaf();
    printf("%ld\n", enters);
    return vftrace_shutdown();
}
END
    run_well ./jumps
    expect_at_least "$(cat out)" 1 'enters delivered'
}

run_tests
