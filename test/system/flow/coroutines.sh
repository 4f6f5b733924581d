# SPDX-License-Identifier: BSD-3-Clause
# C++20 coroutines: their resumptions are calls, whoever makes them; what suspends has returned.
. "${srcdir:-.}/test/system/lib.sh"

# The flags that make `cxx` know coroutines with this libstdc++; fails where it does not.
coroutine_flags() {
    local flags
    for flags in '-std=c++20' '-std=c++20 -fcoroutines' '-std=c++20 -stdlib=libstdc++ -fcoroutines-ts'; do
        # shellcheck disable=SC2086
        if echo '#include <coroutine>
struct task { struct promise_type { task get_return_object() { return {}; } std::suspend_never initial_suspend() { return {}; }
std::suspend_never final_suspend() noexcept { return {}; } void return_void() {} void unhandled_exception() {} }; };
task f() { co_return; }' | $cxx $flags -w -x c++ -fsyntax-only - 2>/dev/null; then
            echo "$flags"
            return
        fi
    done
    return 1
}

# Issue: C++20 coroutines: a generator, an exception inside, one that is destroyed while it
# waits, one that goes on in another thread.
test_coroutines_keep_counts_and_stacks() {
    config
    check() {
        local flags
        flags=$(coroutine_flags) || return 0
        for optimise in -O0 -O2; do
            # shellcheck disable=SC2086
            build coroutines.cpp $flags -w <<'END'
#include <coroutine>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>
#define N extern "C" __attribute__((noinline))
#define QUIET __attribute__((no_instrument_function))
N void leaf() { __asm__ volatile(""); }
N void risky(int n)
{
    leaf();
    if (n == 3)
        throw std::runtime_error("three");
}
struct Generator {
    struct promise_type {
        int value;
        QUIET Generator get_return_object() { return Generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
        QUIET std::suspend_always initial_suspend() { return {}; }
        QUIET std::suspend_always final_suspend() noexcept { return {}; }
        QUIET std::suspend_always yield_value(int n) { value = n; return {}; }
        QUIET void return_void() {}
        void unhandled_exception() { throw; }
    };
    std::coroutine_handle<promise_type> handle;
    QUIET explicit Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
    QUIET Generator(Generator &&other) : handle(std::exchange(other.handle, nullptr)) {}
    QUIET ~Generator() { if (handle) handle.destroy(); }
    bool next() { handle.resume(); return !handle.done(); }
};
Generator count(int n) { for (int i = 0; i < n; i++) { leaf(); co_yield i; } }
Generator thrower() { for (int i = 0;; i++) { risky(i); co_yield i; } }
N void use() { Generator g = count(5); while (g.next()) leaf(); leaf(); }
N void drop() { Generator g = count(5); g.next(); g.next(); leaf(); }
N void caught() { Generator g = thrower(); try { while (g.next()) leaf(); } catch (const std::exception &) { leaf(); } }
N void elsewhere()
{
    Generator g = count(10);
    g.next();
    std::thread([&] { g.next(); g.next(); leaf(); }).join();
    g.next();
    leaf();
}
int main()
{
    for (int i = 0; i < 100; i++) {
        use();
        drop();
        caught();
    }
    elsewhere();
    leaf();
}
END
            run_well ./coroutines
            run_counted ./coroutines
            nm_flags=-C expect_same_counts coroutines_all.log counts coroutines
            for f in use drop caught elsewhere; do expect_stack coroutines_all.log "leaf<$f<main<init"; done
            expect_stack coroutines_all.log 'leaf<main<init'
            # Below the resumption that it runs in, however often it was resumed before.
            expect_at_most "$(stacks_of coroutines_all.log | awk -F'<' '$1 == "risky"' | wc -l)" 2 "stacks of risky"
        done
    }
    with_each_compiler check
}

# Issue: C++20 coroutines: tasks that hand over to each other (symmetric transfer). Each is a tail call; at the end nothing is open.
test_coroutines_that_hand_over_to_each_other_keep_the_counts() {
    config
    check() {
        local flags
        flags=$(coroutine_flags) || return 0
        for optimise in -O0 -O2; do
            cat >transfer.cpp <<'END'
#include <coroutine>
#include <exception>
#define N extern "C" __attribute__((noinline))
N void leaf() { __asm__ volatile(""); }
struct Task {
    struct promise_type {
        std::coroutine_handle<> next = std::noop_coroutine();
        Task get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        struct Final {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().next; }
            void await_resume() noexcept {}
        };
        Final final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) { handle.promise().next = caller; return handle; }
    void await_resume() { handle.destroy(); }
};
Task inner() { leaf(); co_return; }
Task middle() { co_await inner(); leaf(); co_await inner(); }
Task outer(int n) { for (int i = 0; i < n; i++) co_await middle(); leaf(); }
N void transfer() { Task t = outer(50); t.handle.resume(); t.handle.destroy(); leaf(); }
int main()
{
    for (int i = 0; i < 20; i++)
        transfer();
    leaf();
}
END
            # gcc 12 fails on it with hooks.
            # shellcheck disable=SC2086
            if $cxx $flags -w $optimise -finstrument-functions -c transfer.cpp -o unused.o 2>&1 | grep -q 'internal compiler error'; then
                continue
            fi
            # shellcheck disable=SC2086
            build transfer $flags -w
            run_well ./transfer
            run_counted ./transfer
            nm_flags=-C expect_same_counts transfer_all.log counts transfer
            expect_stack transfer_all.log 'leaf<transfer<main<init'
            expect_stack transfer_all.log 'leaf<main<init'
        done
    }
    with_each_compiler check
}

run_tests
