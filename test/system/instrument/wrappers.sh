# SPDX-License-Identifier: BSD-3-Clause
# vftr cc, c++ and fc: the compiler, with what records.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/instrument/lib_plugin.sh"

# Their libraries are those of the build tree.
hello() {
    cat >hello.c <<'END'
#include <stdio.h>
__attribute__((noinline)) int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i ^ s; return s; }
int main(void) { printf("%d\n", work(100) != 0); }
END
}

test_a_program_is_compiled_linked_and_recorded() {
    config
    hello
    "$vftr" cc -O2 hello.c -o hello >cc.out 2>&1 || fail "vftr cc: $(cat cc.out)"
    [ ! -s cc.out ] || fail "it says: $(cat cc.out)"
    run_well ./hello
    expect_same "$(cat out)" 1 output
    expect_calls hello_all.log work 1
    rm -f -- *.log
    "$vftr" cc -O2 -c hello.c || fail "vftr cc -c"
    "$vftr" cc hello.o -o hello || fail "vftr cc hello.o"
    run_well ./hello
    expect_calls hello_all.log work 1
}

test_cxx_and_fortran_have_theirs() {
    config
    cat >hello.cpp <<'END'
#include <iostream>
#include <vector>
[[gnu::noinline]] int work(int n) { std::vector<int> v; for (int i = 0; i < n; i++) v.push_back(i ^ n); return v.back(); }
int main() { std::cout << work(100) << "\n"; }
END
    "$vftr" c++ -O2 hello.cpp -o hello || fail "vftr c++"
    run_well ./hello
    expect_calls hello_all.log 'work(int)' 1
    rm -f -- *.log
    [ -n "${FC:-}" ] || skip "no Fortran compiler"
    printf '%s\n' 'subroutine work(n)' ' integer :: n, i' ' do i = 1, 3' '  n = n + i*n' ' end do' 'end subroutine' \
        'program main' ' integer :: n' ' n = 1' ' call work(n)' ' print *, n' 'end program' >hello.f90
    "$vftr" fc -O1 -fno-inline hello.f90 -o hello || fail "vftr fc"
    run_well ./hello
    expect_calls hello_all.log work 1
}

# compiler_that_prints WORDS: ./shown, which knows its version and otherwise only prints them.
compiler_that_prints() {
    printf '#!/bin/sh\n[ "$1" = --version ] && exec gcc --version\n[ "$1" = -v ] && exec gcc "$@"\necho "%s"\n' "$1" >shown
    chmod +x shown
}

test_what_is_added_is_what_the_call_needs() {
    compiler_that_prints '$@'
    export VFTR_CC=./shown
    asked() { "$vftr" cc "$@" >asked || fail "vftr cc $*"; }
    has_flags() { grep -q -- '-finstrument-functions' asked || fail "no flags: $(cat asked)"; }
    has_no_flags() { ! grep -q -- '-finstrument' asked || fail "flags: $(cat asked)"; }
    has_library() { grep -q -- '-lvftrace' asked || fail "no library: $(cat asked)"; }
    has_no_library() { ! grep -q -- '-lvftrace' asked || fail "a library: $(cat asked)"; }
    asked a.c && has_flags && has_library
    asked -shared -o liba.so a.o && has_flags && has_library
    for stop in -c -S -E -M -MM -fsyntax-only -r -nostdlib; do asked $stop a.c && has_flags && has_no_library; done
    echo '-c "a b.c"' >list
    asked @list && has_flags && has_no_library
    grep -q ' @list$' asked || fail "the file of arguments is not handed on: $(cat asked)"
    for nothing in --version -dumpmachine -print-search-dirs; do
        asked $nothing
        expect_same "$(cat asked | head -1)" "$([ $nothing = --version ] && gcc --version | head -1 || echo $nothing)" "arguments of $nothing"
    done
    VFTR_WRAPPER=off asked a.c -o a
    expect_same "$(cat asked)" "a.c -o a" "what is added with VFTR_WRAPPER=off"
    asked -static a.c && grep -q -- '-lvftrace .*-lpthread' asked || fail "not all that a static program needs: $(cat asked)"
    ! grep -q rpath asked || fail "a run path in a static program: $(cat asked)"
}

test_the_environment_of_the_compiler_stays() {
    compiler_that_prints '$CPATH,$LC_ALL'
    expect_same "$(CPATH=/here LC_ALL=C.UTF-8 VFTR_CC=./shown "$vftr" cc -c a.c)" "/here,C.UTF-8" "environment"
}

test_the_exit_code_is_the_compilers() {
    echo 'int f(void) { return' >broken.c
    run "$vftr" cc -c broken.c
    expect_status 1
    VFTR_CC=not-there run "$vftr" cc -c broken.c
    expect_status 2
    expect_same "$(cat err)" "vftr cc: there is no such compiler: not-there (see vftr cc --help)" message
    VFTR_WRAPPER=off VFTR_CC=not-there run "$vftr" cc -c broken.c
    expect_status 127
}

test_clang_and_a_compiler_without_the_plugin() {
    have clang || skip "no clang"
    config
    hello
    VFTR_CC=clang "$vftr" cc -O2 hello.c -o hello || fail "vftr cc with clang"
    run_well ./hello
    expect_calls hello_all.log work 1
    rm -f -- *.log
    printf '#!/bin/sh\ncase $1 in --version) echo "gcc (Other 1.0) 1.0"; echo "Free Software Foundation" ;; *) exec gcc "$@" ;; esac\n' >other
    chmod +x other
    VFTR_CC=./other "$vftr" cc -O2 -v hello.c -o hello 2>verbose || fail "vftr cc with another gcc: $(tail -3 verbose)"
    ! grep -q fplugin verbose || fail "the plugin of another gcc: $(grep fplugin verbose)"
    run_well ./hello
    expect_calls hello_all.log work 1
}

test_mpi_compilers_are_wrapped_too() {
    [ -n "${MPICC:-}" ] || skip "no MPI"
    printf '%s\n' '#include <mpi.h>' 'int main(void) { return MPI_Wtime() < 0; }' >mpi.c # the linker may leave out a library that vftrace is in front of
    VFTR_MPICC=$MPICC "$vftr" cc --mpi -O2 mpi.c -o mpi || fail "vftr cc --mpi"
    ldd mpi | grep -q libmpi || fail "not linked with MPI: $(ldd mpi)"
    ldd mpi | grep -q libvftrace || fail "not linked with vftrace: $(ldd mpi)"
    VFTR_MPICC="$MPICC -Wl,--as-needed" "$vftr" cc --mpi -O2 mpi.c -o mpi || fail "vftr cc --mpi with --as-needed"
    ldd mpi | grep -q libmpi || fail "not linked with MPI: $(ldd mpi)"
    ldd mpi | grep -q libvftrace || fail "not linked with vftrace: $(ldd mpi)"
    (exec -a vftr-mpicc "$vftr" --help) | grep -q mpicc || fail "no help under its name"
}

test_the_examples_build_with_a_makefile_that_takes_compilers_by_name() {
    config
    hello
    mkdir bin
    ln -s "$vftr" bin/vftr-cc
    printf 'CFLAGS = -O2\nhello: hello.o\nhello.o: hello.c\n' >Makefile
    PATH=$PWD/bin:$PATH make -s CC=vftr-cc hello >make.out 2>&1 || fail "make: $(cat make.out)"
    run_well ./hello
    expect_calls hello_all.log work 1
}

run_tests
