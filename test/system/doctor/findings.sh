# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of vftr doctor: each makes a situation that it may find.

program() {
    build program.c "$@" <<'END'
static void leaf(void) {}
int main(void) { leaf(); return 0; }
END
}

# doctor COMMAND…: its answer in `out`; each line is a finding.
doctor() {
    run "$vftr" doctor "$@"
    expect_same "$(grep -cvE '^(ok|problem): ' out)" 0 "lines that are no findings in: $(cat out)"
    expect_same "$(cat err)" '' stderr
}

said() { grep -qE -- "$1" out || fail "not said: $1; but: $(cat out)"; }
not_said() { ! grep -qE -- "$1" out || fail "said: $(grep -E -- "$1" out)"; }
# expect_problem PATTERN REMEDY: the one problem.
expect_problem() {
    expect_status 1
    expect_same "$(grep -c '^problem: ' out)" 1 "number of problems in: $(cat out)"
    said "^problem: .*$1.*; .*${2-}"
}

expect_healthy() {
    not_said '^problem: '
    expect_status 0
}

expect_recorded() {
    run_well "$@"
    expect_file "$(basename "$1")_all.log"
    rm -f -- *.log *vfd
}

mpi_program() {
    [ -n "${MPICC:-}" ] || skip 'no MPI'
    cat >job.c <<'END'
#include <mpi.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Finalize(); return 0; }
END
    "$MPICC" -finstrument-functions job.c -o job "$@" || fail "$MPICC"
}
