# SPDX-License-Identifier: BSD-3-Clause
# vftr doctor: whether anything of a program is instrumented, and who takes the calls of the hooks.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/doctor/findings.sh"

uninstrumented() {
    for linkage in none shared static; do
        instrument='' program
        doctor ./program
        [ $linkage != static ] || strip program
        expect_problem 'program is not instrumented' 'finstrument-functions'
    done
}

test_a_program_that_is_not_instrumented() { with_each_compiler uninstrumented; }
test_a_program_with_libvftrace_a_that_is_not_instrumented() {
    linkage=archive
    instrument='' program -Wl,-u,vftrace_pause
    doctor ./program
    expect_problem 'program is not instrumented' 'finstrument-functions'
}

test_regions_alone_are_enough() {
    for linkage in shared archive; do
        instrument='' build regions.c <<'END'
#include <vftrace.h>
int main(void)
{
    vftrace_region_begin("all");
    vftrace_region_end("all");
    return 0;
}
END
        doctor ./regions
        expect_healthy
        said '^ok: nothing is instrumented, but the regions of'
        expect_recorded ./regions
    done
}

test_libraries_count_as_well() {
    printf 'int inner(void) { return 1; }\nint outer(void) { return inner(); }\n' >library.c
    $cc -finstrument-functions -shared -fPIC library.c -o liblibrary.so || fail library
    instrument='' build user.c -L. -llibrary -Wl,-rpath,"$PWD" -Wl,--no-as-needed <<'END'
int outer(void);
int main(void) { return outer() - 1; }
END
    doctor ./user
    expect_healthy
    said 'liblibrary.so is instrumented'
}

test_other_hooks_of_clang() {
    have clang || skip 'no clang'
    cc=clang
    linkage=none
    printf 'void __cyg_profile_func_enter_bare(void) {}\n' >bare.c
    $cc -shared -fPIC bare.c -o libbare.so || fail bare
    instrument=-finstrument-function-entry-bare program -L. -lbare -Wl,-rpath,"$PWD"
    doctor ./program
    expect_problem 'other hooks' 'finstrument-functions'
}

test_another_profiler() {
    printf 'void __cyg_profile_func_enter(void *a, void *b) { (void)a; (void)b; }\n' >other.c
    $cc -shared -fPIC other.c -o libother.so || fail other
    linkage=none
    program -L. -lother -Wl,-rpath,"$PWD"
    doctor ./program
    expect_problem 'libother.so takes the calls of the hooks' 'vftr run'
    run "$vftr" run -q -- ./program
    expect_file program_all.log
}

test_hooks_of_the_programs_own() {
    linkage=none
    build own.c -rdynamic <<'END'
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *a, void *b) { (void)a; (void)b; }
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *a, void *b) { (void)a; (void)b; }
int main(void) { return 0; }
END
    doctor ./own
    expect_problem 'own takes the calls of the hooks' 'without it'
}

# Issue: vftr doctor tells a program compiled without the plugin what it costs
test_hooks_from_before_inlining_are_told_from_those_of_the_plugin() {
    cat >short.cpp <<'END'
#include <cstdio>
struct Point { int x = 0; int get() const { return x; } void set(int v) { x = v; } };
int main() { Point p; for (int i = 0; i < 100; i++) p.set(p.get() + i); std::printf("%d\n", p.get()); }
END
    cxx=g++ build short
    doctor ./short
    expect_healthy
    grep -qE 'short has its hooks from before inlining: [0-9]+ of its [0-9]+ functions have less than 128 bytes of code with their hooks, .*vftr cc' out ||
        fail "it is not said: $(cat out)"
    by_plugin() { # COMPILER FLAGS…
        cxx=$1 instrument="${*:2}" build short
        doctor ./short
        expect_healthy
        grep -q 'short has its hooks from after inlining' out || fail "it is not said of $1: $(cat out)"
    }
    [ ! -e "$builddir/vftrace.so" ] || by_plugin g++ -finstrument-functions "-fplugin=$builddir/vftrace.so"
    have clang++ || return 0
    cxx=clang++ build short
    doctor ./short
    grep -q 'short may have its hooks from before inlining: ' out || fail "it is not said of clang: $(cat out)"
    [ ! -e "$builddir/vftrace_clang.so" ] || by_plugin clang++ -finstrument-functions-after-inlining "-fpass-plugin=$builddir/vftrace_clang.so"
}

test_stripped_programs() {
    for linkage in shared archive static; do
        program
        strip program
        doctor ./program
        expect_healthy
        expect_recorded ./program
    done
}

run_tests
