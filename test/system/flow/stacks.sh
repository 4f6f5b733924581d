# SPDX-License-Identifier: BSD-3-Clause
# Programs on several stacks: signal handlers on an alternate stack, contexts, fibers.
. "${srcdir:-.}/test/system/lib.sh"

test_a_handler_on_an_alternate_stack_does_not_drop_frames() {
    config
    # In a thread, so that there is an alternate stack above its own in memory and one below.
    build alternate.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
enum { Size = 1 << 16, Own = 1 << 18 };
static char *memory;
static void leaf(void) {}
static void inner(void) { leaf(); }
static void handler(int sig) { inner(); (void)sig; }
static void work(void) { leaf(); raise(SIGUSR1); leaf(); }
static void *thread(void *unused)
{
    char *const places[] = {memory, memory + Size + Own};
    for (int i = 0; i < 2; i++) {
        stack_t stack = {.ss_sp = places[i], .ss_size = Size};
        struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
        sigaltstack(&stack, 0);
        sigaction(SIGUSR1, &action, 0);
        for (int k = 0; k < 100; k++)
            work();
    }
    leaf();
    return unused;
}
int main(void)
{
    pthread_attr_t attributes;
    pthread_t id;
    memory = mmap(0, Own + 2 * Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory + Size, Own);
    return pthread_create(&id, &attributes, thread, 0) || pthread_join(id, 0);
}
END
    run_well ./alternate
    expect_calls alternate_all.log work 200
    expect_calls alternate_all.log handler 200
    expect_calls alternate_all.log inner 200
    expect_calls alternate_all.log leaf 601
    expect_stack alternate_all.log 'leaf<thread<init'
    expect_stack alternate_all.log 'leaf<work<thread<init'
    expect_stack alternate_all.log 'leaf<inner<handler<work<thread<init'
    stacks_at_most alternate_all.log 9
}

# Issue: swapcontext/makecontext. What a context does has call paths of its own; the caller's frames stay.
test_contexts_have_call_paths_of_their_own() {
    config
    check() {
        for optimise in -O0 -O2; do
            build switches.c <<'END'
#include <ucontext.h>
static ucontext_t here, there;
static char stack[65536];
#define N __attribute__((noinline)) static void
N leaf(void) { __asm__ volatile(""); }
N pass(void) { leaf(); swapcontext(&there, &here); leaf(); }
N inside(void) { for (;;) pass(); }
N visit(void) { swapcontext(&here, &there); leaf(); }
int main(void)
{
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, inside, 0);
    for (int i = 0; i < 500; i++)
        visit();
    leaf();
    return 0;
}
END
            run_well ./switches
            run_counted ./switches
            expect_same_counts switches_all.log counts switches
            for stack in leaf\<{main,visit\<main,pass\<inside}\<init; do expect_stack switches_all.log "$stack"; done
            stacks_at_most switches_all.log 8
        done
    }
    with_each_compiler check
}

# Issue: Boost.Context-like stacks; the tree is never corrupt: 1000 fibers that switch 100 times have the call paths of one.
test_a_thousand_fibers_do_not_grow_the_tree() {
    config
    build fibers.c <<'END'
#include <stdlib.h>
#include <ucontext.h>
enum { Fibers = 1000, Rounds = 100, Bytes = 32768 };
static ucontext_t main_context, fibers[Fibers];
static int self;
static void leaf(void) {}
static void yield(void)
{
    int from = self;
    self = (self + 1) % Fibers;
    leaf();
    swapcontext(&fibers[from], &fibers[self]);
}
static void deeper(int n) { if (n) deeper(n - 1); else yield(); }
static void even(void) { leaf(); deeper(3); }
static void odd(void) { yield(); leaf(); }
static void fiber(int number)
{
    for (int i = 0; i < Rounds; i++)
        (number & 1 ? odd : even)();
    leaf();
    if (number == Fibers - 1)
        setcontext(&main_context);
    yield();
}
static void start(void)
{
    for (int i = 0; i < Fibers; i++) {
        getcontext(&fibers[i]);
        fibers[i].uc_stack.ss_sp = malloc(Bytes);
        fibers[i].uc_stack.ss_size = Bytes;
        makecontext(&fibers[i], (void (*)(void))fiber, 1, i);
    }
    swapcontext(&main_context, &fibers[0]);
    leaf();
}
int main(void)
{
    start();
    leaf();
    return 0;
}
END
    run_well ./fibers
    run_counted ./fibers
    expect_same_counts fibers_all.log counts fibers
    expect_stack fibers_all.log 'leaf<yield<deeper<even<fiber<init'
    expect_stack fibers_all.log 'leaf<yield<odd<fiber<init'
    expect_stack fibers_all.log 'leaf<start<main<init'
    expect_stack fibers_all.log 'leaf<main<init'
    stacks_at_most fibers_all.log 18
}

# Issue: Boost.Context-like stacks: the library itself, with stacks of both kinds that it has, exceptions within and fibers that are left for ever.
test_fibers_of_boost_context() {
    echo '#include <boost/context/fiber.hpp>' | $cxx -x c++ -fsyntax-only - 2>/dev/null || skip "no Boost.Context"
    config
    check() {
        for optimise in -O0 -O2; do
            build boost.cpp -w -lboost_context <<'END'
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstdio>
#include <stdexcept>
#include <vector>
#define N extern "C" __attribute__((noinline))
#define QUIET __attribute__((no_instrument_function))
namespace ctx = boost::context;
N void leaf() { __asm__ volatile(""); }
N void deep(int n) { volatile char room[900]; room[n] = 0; if (n) deep(n - 1); else leaf(); __asm__ volatile(""); }
N void pass(ctx::fiber &home, int n) { leaf(); home = std::move(home).resume(); deep(n % 9); }
N void body(ctx::fiber &home, int n)
{
    try {
        for (int i = 0; i < 10; i++) {
            pass(home, n + i);
            if (i == 5 && n % 4 == 0)
                throw std::runtime_error("x");
        }
    } catch (const std::exception &) {
        leaf();
    }
    leaf();
}
template <class Stack> QUIET ctx::fiber make(int n, Stack stack)
{
    return ctx::fiber(std::allocator_arg, stack, [n](ctx::fiber &&from) {
        ctx::fiber home = std::move(from);
        body(home, n);
        return home;
    });
}
QUIET void run(int rounds)
{
    std::vector<ctx::fiber> fibers;
    for (int i = 0; i < 100; i++)
        fibers.push_back(i % 2 ? make(i, ctx::fixedsize_stack(65536)) : make(i, ctx::protected_fixedsize_stack(65536)));
    for (int k = 0; k < rounds; k++)
        for (auto &f : fibers)
            if (f)
                f = std::move(f).resume();
}
N void visit(int rounds) { leaf(); run(rounds); leaf(); }
int main() { visit(8); visit(20); leaf(); } // those of the first visit are thrown away
END
            run_well ./boost
            run_counted ./boost
            nm_flags=-C expect_same_counts boost_all.log counts boost
            expect_stack boost_all.log 'leaf<visit<main<init'
            expect_stack boost_all.log 'leaf<main<init'
            expect_no_stack boost_all.log '(body|pass|deep)<.*(visit|main)'
            # Whatever the library's own templates add: the paths of one fiber, not of hundred.
            stacks_at_most boost_all.log 400
        done
    }
    with_each_compiler check
}

# Issue: stacks of their own. A fiber that begins in one thread and goes on in another; and threads with stacks of their own size.
test_fibers_that_change_threads_keep_the_counts() {
    config
    build wander.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>
enum { Fibers = 40, Rounds = 25, Bytes = 65536 };
static struct fiber { ucontext_t here, home; int done; } fibers[Fibers];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next;
static void leaf(void) {}
static void leave(struct fiber *f) { leaf(); swapcontext(&f->here, &f->home); }
static void step(struct fiber *f) { leaf(); leave(f); leaf(); }
static void run(int number)
{
    struct fiber *f = &fibers[number];
    for (int i = 0; i < Rounds; i++)
        step(f);
    f->done = 1;
    leave(f);
}
static void resume(struct fiber *f) { swapcontext(&f->home, &f->here); leaf(); }
static void *work(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int mine = next++;
        /* one after the other, so that no fiber is in two threads */
        if (mine < Fibers * (Rounds + 1))
            resume(&fibers[mine % Fibers]);
        pthread_mutex_unlock(&lock);
        if (mine >= Fibers * (Rounds + 1))
            return unused;
    }
}
int main(void)
{
    pthread_t id[4];
    pthread_attr_t attributes;
    for (int i = 0; i < Fibers; i++) {
        getcontext(&fibers[i].here);
        fibers[i].here.uc_stack.ss_sp = malloc(Bytes);
        fibers[i].here.uc_stack.ss_size = Bytes;
        makecontext(&fibers[i].here, (void (*)(void))run, 1, i);
    }
    pthread_attr_init(&attributes);
    for (int i = 0; i < 4; i++) {
        pthread_attr_setstacksize(&attributes, i % 2 ? 65536 : 64 << 20);
        pthread_create(&id[i], &attributes, work, 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(id[i], 0);
    for (int i = 0; i < Fibers; i++)
        if (!fibers[i].done)
            return 1;
    return 0;
}
END
    run_well ./wander
    run_counted ./wander
    expect_same_counts wander_all.log counts wander
    expect_stack wander_all.log 'leaf<resume<work<init'
    # Of each function of a fiber: below those of the fiber that this thread has seen begin, or below the root.
    ! stacks_of wander_all.log | grep -E '(run|step|leave)<(.*<)?(resume|work)' || fail "a fiber's function has a caller on another stack"
    stacks_at_most wander_all.log 40
}

# A thread whose own stack is larger than stacks mostly are, and used down to its depths: it is one stack.
test_a_thread_with_a_large_stack_is_on_one_stack() {
    config
    build large.c <<'END'
#include <pthread.h>
static void leaf(void) {}
static void wide(int n)
{
    volatile char room[3 << 20];
    room[0] = 0;
    if (n)
        wide(n - 1);
    leaf();
}
static void *work(void *unused) { leaf(); wide(30); leaf(); return unused; }
int main(void)
{
    pthread_t id;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 200 << 20);
    return pthread_create(&id, &attributes, work, 0) || pthread_join(id, 0);
}
END
    run_well ./large
    expect_calls large_all.log wide 31
    expect_calls large_all.log leaf 33
    expect_stack large_all.log 'leaf<wide<work<init'
    stacks_at_most large_all.log 6
}

run_tests
