# SPDX-License-Identifier: BSD-3-Clause
# Functions that are not recorded, of libraries that come and go.
. "${srcdir:-.}/test/system/lib.sh"

# A plugin whose leaf is called NAME_leaf. All plugins have the same shape, so that one has its functions where another one had them; but
# for those whose leaf does MORE.
plugin() { # NAME [MORE]
    linkage=none build "$1.c" -shared -fPIC <<END
#define QUIET __attribute__((no_instrument_function))
__attribute__((noinline)) int $1_leaf(int n) { ${2-} return n; }
int entry(int n) { return $1_leaf(n) + 1; }
QUIET void *the_leaf(void) { return (void *)$1_leaf; }
END
}
# Its arguments are what it does, see below. Other functions than these are not instrumented.
host() {
    build host.c -ldl -pthread "$@" <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vftrace.h>
#define QUIET __attribute__((no_instrument_function))
static void *plugin, *leaf, *taken;
static int (*entry)(int);
static char loaded[4096];
QUIET static char *text(void) { return (char *)((uintptr_t)leaf & ~4095ul); }
QUIET static int load(const char *path)
{
    void *before = leaf;
    plugin = dlopen(path, RTLD_NOW);
    if (!plugin)
        return -1;
    entry = (int (*)(int))dlsym(plugin, "entry");
    leaf = ((void *(*)(void))dlsym(plugin, "the_leaf"))();
    memcpy(loaded, text(), sizeof loaded);
    return leaf == before;
}
QUIET static int call(void)
{
    for (int i = 0; i < 10; i++)
        if (entry(i) != i + 1)
            return 0;
    return 1;
}
static sem_t wanted, done;
QUIET static void *serve(void *p)
{
    for (;;) {
        sem_wait(&wanted);
        if (!call())
            abort();
        sem_post(&done);
    }
    return p;
}
int main(int argc, char **argv)
{
    int status = argc;
    pthread_t server;
    sem_init(&wanted, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&server, 0, serve, 0);
    for (char **what = argv + 1; *what; what++)
        switch (**what) {
        case 'o': /* loads a plugin; is it where the one before was? */
            printf("%s ", load(*what + 1) == 1 ? "here" : "there");
            break;
        case 'c':
            if (!call())
                return 1;
            break;
        case 'C': /* the other thread does, which sees nothing of what happens meanwhile */
            sem_post(&wanted);
            sem_wait(&done);
            break;
        case 't': /* is its text as it was loaded? */
            printf("%s ", memcmp(loaded, text(), sizeof loaded) ? "changed" : "same");
            break;
        case 'd':
            if (dlclose(plugin) != 0)
                return 2;
            break;
        case 'k': /* the place is taken: the next one has another */
            taken = text();
            if (mmap(taken, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != taken)
                return 3;
            break;
        case 'g': /* it is given back */
            if (munmap(taken, 4096) != 0)
                return 4;
            break;
        case 'x':
            printf("%d ", vftrace_exclude((void (*)(void))leaf));
            break;
        case 'f': /* a child goes on */
            if (fork() != 0)
                return wait(&status) < 0 || status != 0;
            break;
        case 'i':
            printf("%d ", vftrace_include((void (*)(void))leaf));
            break;
        }
    return 0;
}
END
}
# Where the kernel puts them is its affair; mostly the next one comes to the place of the one before.
expect_texts() { expect_same "$(sed 's/t*here //g' out)" "$1" "the texts of the plugins, which lay $(grep -o 't*here' out | tr '\n' ' ')"; }
each_way() { # COMMAND: with both compilers, optimised and not, with the text changed and not
    local patching changed optimise
    each() {
        for optimise in -O0 -O2; do
            for name in one two; do plugin $name; done
            host
            for patching in true false; do
                changed=same
                [ $patching = false ] || [ "$(uname -m)" != x86_64 ] || changed=changed
                "$@"
                rm -rf -- *.vfd *.log vftrace_symbols
            done
        done
    }
    with_each_compiler each "$@"
}

# Issue: excluded functions … the hook call instructions of excluded functions are replaced; dlopen'ed code
test_a_filter_holds_for_a_library_that_comes_back_and_leaves_the_one_between_alone() {
    check() {
        config "\"filter\": {\"exclude\": {\"functions\": \"^one_\"}, \"live_patching\": $patching}"
        run_well ./host o./one c t d o./two c t d o./one c t d k o./one c t d o./two c t d
        expect_texts "$changed same $changed $changed same "
        expect_calls host_all.log one_leaf 0
        expect_calls host_all.log two_leaf 20
        expect_calls host_all.log 'entry (one)' 30
        expect_calls host_all.log 'entry (two)' 20
        expect_no_stack host_all.log 'one_leaf'
    }
    each_way check
}

# Issue: filters … re-enabling at run time
test_what_the_program_says_of_a_function_holds_when_its_library_comes_back() {
    check() {
        config "\"filter\": {\"live_patching\": $patching}"
        run_well ./host o./one c t x c t d o./one c t d o./two c t d o./one c t d k o./one c t d o./two c d o./one i c t d o./one c t
        expect_texts "same 0 $changed $changed same $changed $changed 0 same same "
        expect_calls host_all.log one_leaf 30
        expect_calls host_all.log two_leaf 20
        expect_calls host_all.log 'entry (one)' 70
        expect_calls host_all.log 'entry (two)' 20
    }
    each_way check
}

# What it says while the library is elsewhere.
test_it_holds_when_the_library_comes_back_to_a_place_where_it_has_been_before() {
    check() {
        config "\"filter\": {\"live_patching\": $patching}"
        run_well ./host o./one c x d k o./one i d g o./one c t
        expect_texts "0 0 same "
        expect_calls host_all.log one_leaf 20
        run_well ./host o./one c d k o./one x d g o./one c t
        expect_texts "0 $changed "
        expect_calls host_all.log one_leaf 10
        run_well ./host o./one C c d k o./one x d g o./one c C
        expect_calls host_all.log one_leaf 20
        expect_calls host_all.log entry 40
        run_well ./host o./one C x d k o./one i d g o./one c C
        expect_calls host_all.log one_leaf 30
    }
    each_way check
}

# Of the functions that were there something is known that is not true of this one.
test_it_holds_in_the_place_of_a_function_of_another_shape() {
    check() {
        config "\"filter\": {\"live_patching\": $patching}"
        plugin two "volatile char room[1000]; room[n] = 1;" # hook calls elsewhere in the function
        run_well ./host o./one x c d o./two x i c t d o./one c i c t
        expect_texts "0 0 0 same 0 same "
        expect_calls host_all.log one_leaf 10
        expect_calls host_all.log two_leaf 10
    }
    each_way check
}

# Issue: "58378 hook calls … were taken out" of a text that had 1000: those of unloaded libraries were counted again at each dlopen.
test_the_hook_calls_that_are_out_are_those_that_are_not_in_the_text_now() {
    local once
    hook_calls_out() { sed -n 's/^Note: \([0-9]*\) hook calls of excluded functions were taken out.*/\1/p' host_all.log; }
    check() {
        config "\"filter\": {\"exclude\": {\"functions\": \"^one_\"}, \"live_patching\": $patching}"
        run_well ./host o./one c t
        once=$(hook_calls_out)
        [ $changed = same ] || expect_at_least "${once:-0}" 2 'hook calls that are out of a library'
        run_well ./host o./one c d o./one c d k o./one c d o./one c t
        expect_same "$(hook_calls_out)" "$once" 'hook calls that are out when it has come back'
        run_well ./host o./one c d o./one c d
        expect_same "$(hook_calls_out)" '' 'hook calls that are out when it is gone'
    }
    each_way check
}

# And in a forked child, which has no part in what stands at that place now.
test_it_holds_in_a_forked_child() {
    for name in one two; do plugin $name; done
    host
    config
    run_well ./host o./one c x d o./two f c d o./one c
    expect_calls host_all.log one_leaf 10
    report "$(ls host_[1-9]*.vfd)"
    expect_calls report two_leaf 10
    expect_calls report one_leaf 0
    expect_calls report 'entry (one)' 10
    expect_calls report 'entry (two)' 10
}

# Nothing is where its function was.
test_a_function_that_is_gone_is_refused() {
    plugin one
    host
    config
    run_well ./host o./one c x d x i o./one c i c
    expect_same "$(sed 's/t*here //g' out)" "0 -1 -1 0 " "what the program is told"
    expect_calls host_all.log one_leaf 20
    expect_calls host_all.log entry 30
}

run_tests
