# SPDX-License-Identifier: BSD-3-Clause
# vftr doctor: programs of MPI and their launchers.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/doctor/findings.sh"

test_an_mpi_program() {
    mpi_program -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    doctor ./job
    expect_healthy
    said 'of the kind that libvftrace was built for|libvftrace loads'
}

test_mpi_before_the_library() {
    mpi_program
    local libraries
    libraries=$("$MPICC" -show 2>/dev/null | tr ' ' '\n' | grep -E '^-l|^-L' | tr '\n' ' ')
    # shellcheck disable=SC2086
    mpi_program -Wl,--no-as-needed $libraries -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    doctor ./job
    expect_problem 'stands before libvftrace' 'lvftrace before the MPI'
}

test_another_mpi_than_that_of_the_build() {
    mpi_program -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    local other
    other=$(doctor ./job && grep -oE 'lib[a-z]*mpi[a-z_]*\.so\.[0-9]+' out | tail -1)
    case $other in *.so.12) other=libmpi.so.40 ;; *) other=libmpich.so.12 ;; esac
    printf 'int MPI_Init(void *a, void *b) { return a == b; }\nint PMPI_Init(void *a, void *b) { return a == b; }\nint MPI_Finalize(void) { return 0; }\n' >mpi.c
    $cc -shared -fPIC mpi.c -o libfake.so -Wl,-soname,$other || fail fake
    ln -s libfake.so $other
    # shellcheck disable=SC2046
    $cc -finstrument-functions $("$MPICC" -show 2>/dev/null | tr ' ' '\n' | grep '^-I') job.c -o job -Wl,--no-as-needed \
        -L"$builddir" -lvftrace -L. -lfake -Wl,-rpath,"$builddir":"$PWD" -Wl,--allow-shlib-undefined -Wl,--unresolved-symbols=ignore-all 2>cc.err || fail "$(cat cc.err)"
    doctor ./job
    expect_problem "uses $other, libvftrace was built for" 'with-mpi'
}

# A library that only has the names of ours, and knows no MPI.
test_a_library_without_mpi() {
    mpi_program
    printf 'void __cyg_profile_func_enter(void *a, void *b) { (void)a; (void)b; }\n' >fake.c
    mkdir fake
    $cc -shared -fPIC fake.c -o fake/libvftrace.so.2 -Wl,-soname,libvftrace.so.2 || fail fake
    ln -s libvftrace.so.2 fake/libvftrace.so
    mpi_program -Lfake -lvftrace -Wl,-rpath,"$PWD"/fake
    doctor ./job
    expect_status 1
    said '^problem: .*built without MPI: the ranks.*; .*with-mpi'
}

test_mpi_functions_alone_are_enough() {
    [ -n "${MPICC:-}" ] || skip 'no MPI'
    mpi_program
    "$MPICC" job.c -o job -L"$builddir" -lvftrace -Wl,-rpath,"$builddir" || fail "$MPICC"
    doctor ./job
    expect_healthy
    said '^ok: nothing is instrumented, but the MPI functions of ./job are recorded'
}

test_the_mpirun_of_another_mpi() {
    mpi_program
    # The linker has left the MPI library out: libvftrace has all that is called.
    # shellcheck disable=SC2046
    $cc -finstrument-functions $("$MPICC" -show | tr ' ' '\n' | grep '^-I') job.c -o job -L"$builddir" -lvftrace -Wl,-rpath,"$builddir" \
        -Wl,--unresolved-symbols=ignore-all || fail "$cc"
    doctor ./job
    expect_healthy
    said 'left the MPI library out of ./job; libvftrace loads'
    local own=OMPI_COMM_WORLD_RANK other=PMI_RANK
    grep -q 'loads .*\.so\.12' out && own=PMI_RANK other=OMPI_COMM_WORLD_RANK
    run env -u SLURM_JOB_ID $own=0 "$vftr" doctor ./job
    expect_healthy
    run env -u SLURM_JOB_ID $other=0 "$vftr" doctor ./job
    expect_problem 'started by the mpirun of' 'with-mpi'
}

# A launcher that gives its programs an environment of its own.
launcher() {
    mkdir -p bin
    cat >bin/mpirun
    chmod +x bin/mpirun
    PATH=$PWD/bin:$PATH
}

test_what_a_launcher_does_not_pass_on() {
    program
    launcher <<'END'
#!/bin/sh
shift 2
env -u VFTR_CONFIG "$@" & env -u VFTR_CONFIG "$@"
wait
END
    doctor -- mpirun -n 2 ./program
    expect_healthy
    said '^ok: mpirun started 2 processes'
    config
    doctor -- mpirun -n 2 ./program an argument
    expect_problem 'mpirun does not pass VFTR_CONFIG on to its processes' 'x VFTR_CONFIG'
    launcher <<'END'
#!/bin/sh
shift 2
"$@"
VFTR_OFF=1 "$@"
END
    doctor -- mpirun -n 2 ./program
    expect_problem 'VFTR_OFF is set' '1 of 2 processes'
    launcher <<'END'
#!/bin/sh
shift 2
VFTR_CONFIG=/other "$@"
END
    doctor mpirun -n 1 ./program
    expect_status 1
    said '^problem: mpirun gives its processes another VFTR_CONFIG'
    # Of several programs none is run.
    launcher <<'END'
#!/bin/sh
for word; do
    [ "$word" != : ] || ./touches
done
shift 2
"$@"
END
    unset VFTR_CONFIG
    printf '#!/bin/sh\ntouch touched\n' >touches
    chmod +x touches
    doctor mpirun -n 1 ./program : -n 1 ./touches
    expect_healthy
    expect_no_file touched
    launcher <<'END'
#!/bin/sh
echo 'no such option' >&2
exit 4
END
    doctor -- mpirun --strange ./program
    expect_problem 'mpirun started nothing \(exit code 4\): no such option'
}

test_a_real_launcher() {
    [ -n "${MPIRUN:-}" ] || skip 'no mpirun'
    mpi_program -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    local more=
    ! "$MPIRUN" --version | grep -q 'Open MPI' || more='--allow-run-as-root --oversubscribe'
    config
    # shellcheck disable=SC2086
    doctor -- "$MPIRUN" $more -n 2 ./job
    expect_healthy
    said 'started 2 processes'
    # shellcheck disable=SC2086
    doctor -- "$MPIRUN" $more -n 2 env VFTR_OFF=1 ./job
    expect_problem 'VFTR_OFF is set'
}

run_tests
