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

run_tests
